import { SidecardError } from '../../internal/errors.ts'
import { createRecording, type Recording, replay } from '../../service/recording.ts'
import { createTestService } from '../../service/test-service.ts'
import type { SaveInput } from '../protocol/exchanges.ts'
import { anonymizeExchange } from './anonymize-exchange.ts'
import type { LoggedExchange } from './exchange-log.ts'

/** The test runner that `npm test` starts. */
export type TestRunner = 'node' | 'vitest'

/** The files of a saved request, by path in the project. */
export interface SavedFiles {
  readonly files: ReadonlyArray<{ readonly path: string; readonly text: string }>
  readonly replaced: Readonly<Record<string, number>> | null
}

/**
 * Builds the fixture of a data fetch, and a test that runs it.
 *
 * @throws {SidecardError} `not_saveable` for a request without a complete JSON response
 */
export async function buildSavedFiles(
  logged: LoggedExchange,
  name: string,
  { as, anonymize }: Required<Pick<SaveInput, 'as' | 'anonymize'>>,
  runner: TestRunner,
): Promise<SavedFiles> {
  const { recording, replaced } = recordExchange(logged, anonymize)
  const fixture = {
    path: `test/fixtures/${name}.json`,
    text: `${JSON.stringify(recording, null, 2)}\n`,
  }
  if (as === 'fixture') return { files: [fixture], replaced }
  const text = await createTest(recording, name, runner)
  return { files: [fixture, { path: `test/${name}.test.ts`, text }], replaced }
}

function recordExchange(logged: LoggedExchange, isAnonymized: boolean) {
  const { request, response, kind } = logged
  const { params, body, replaced } = anonymizeExchange(logged, { keep: !isAnonymized })
  const isJson = typeof body === 'object' && body !== null && !Array.isArray(body)
  if (kind !== 'fetch_data' || response === null || response.truncated || !isJson) {
    throw new SidecardError(
      'not_saveable',
      'Only a data fetch with a complete JSON object as its response can be saved.',
    )
  }
  return { recording: createRecording(params, request, response, body), replaced }
}

/** The test expects the current rendering of the recording. */
async function createTest(recording: Recording, name: string, runner: TestRunner): Promise<string> {
  const service = createTestService(replay(recording))
  await service.connect()
  const { text } = await service.openIssue(recording.request.params)
  const isVitest = runner === 'vitest'
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${quote(line)},`)
  return `${
    isVitest
      ? "import { expect, test } from 'vitest'"
      : "import assert from 'node:assert/strict'\nimport { test } from 'node:test'"
  }
import { createTestService, replay } from 'sidecard/testing'
import recording from './fixtures/${name}.json' with { type: 'json' }

// Saved from the Sidecard workspace. To test your app with the same IDs, pass it
// to createTestService() instead of replay(recording).
const expected = [
${lines.join('\n')}
]

test('shows ${name} as recorded', async () => {
  const service = createTestService(replay(recording))
  await service.connect()
  const { text } = await service.openIssue(recording.request.params)
  ${
    isVitest
      ? "expect(text.trimEnd().split('\\n')).toEqual(expected)"
      : "assert.deepEqual(text.trimEnd().split('\\n'), expected)"
  }
})
`
}

function quote(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${escaped}'`
}
