import { renderBuilders } from './builder-source.ts'
import { renderCopiers } from './copier-source.ts'
import { readPayloadModel } from './payload-model.ts'
import { renderTypes } from './types-source.ts'
import { renderVocabulary } from './vocabulary-source.ts'

/** Returns the files of `src/runtime/contract/generated`, before formatting. */
export function renderContractFiles(): Readonly<Record<string, string>> {
  const model = readPayloadModel()
  return {
    'vocabulary.ts': renderVocabulary(model),
    'types.ts': renderTypes(model),
    'copy.ts': renderCopiers(model),
    'build.ts': renderBuilders(model),
  }
}
