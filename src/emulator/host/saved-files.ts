import { SidecardError } from '../../internal/errors.ts'
import { createRecording, type Recording, replay } from '../../service/recording.ts'
import { createTestService } from '../../service/test-service.ts'
import type { SaveInput } from '../protocol/exchanges.ts'
import type { ProjectFiles } from '../store/project-files.ts'
import { findApp, findSecretBinding, findTestExport } from './find-app.ts'
import { anonymizeExchange } from './anonymize-exchange.ts'
import type { LoggedExchange } from './exchange-log.ts'
import { quoteForScript } from './request-code.ts'

/**
 * Builds the fixture of a data fetch, and a test that runs it.
 *
 * @throws {SidecardError} `not_saveable` for a request without a complete JSON response
 */
export async function buildSavedFiles(
  logged: LoggedExchange,
  name: string,
  { as, anonymize }: Required<Pick<SaveInput, 'as' | 'anonymize'>>,
  project: Pick<ProjectFiles, 'readTestScript' | 'readSources'>,
) {
  const { recording, replaced, kept } = recordExchange(logged, anonymize)
  const fixture = {
    path: `test/fixtures/${name}.json`,
    text: `${JSON.stringify(recording, null, 2)}\n`,
  }
  if (as === 'fixture') return { files: [fixture], replaced, kept, change: null }
  const isAnonymized = replaced !== null && Object.values(replaced).some((count) => count > 0)
  const { text, change } = await createTest(recording, name, isAnonymized, project)
  return { files: [fixture, { path: `test/${name}.test.ts`, text }], replaced, kept, change }
}

function recordExchange(logged: LoggedExchange, isAnonymized: boolean) {
  const { request, response, kind } = logged
  const { params, body, replaced, kept } = anonymizeExchange(logged, { keep: !isAnonymized })
  const isJson = typeof body === 'object' && body !== null && !Array.isArray(body)
  if (kind !== 'fetch_data' || response === null || response.truncated || !isJson) {
    throw new SidecardError(
      'not_saveable',
      'Only a data fetch with a complete JSON object as its response can be saved.',
    )
  }
  return { recording: createRecording(params, request, response, body), replaced, kept }
}

/** Creates a test that opens the issue in the user's own app, and expects what the agent saw. */
async function createTest(
  recording: Recording,
  name: string,
  isAnonymized: boolean,
  project: Pick<ProjectFiles, 'readTestScript' | 'readSources'>,
) {
  const service = createTestService(replay(recording))
  await service.connect()
  const { text } = await service.openIssue(recording.request.params)
  const lines = text.trimEnd().split('\n')
  const isVitest = /\bvitest\b/.test(project.readTestScript())
  const sources = project.readSources()
  const { imports, expression, change, seam } = findApp(sources)
  const hasEnv = findTestExport('env', sources)
  const usesApi = [...sources.values()].some((source) => source.includes('SIDECARD_API_URL'))
  const secret = findSecretBinding(sources)
  const { headerNames } = recording.request
  const changes = [change, ...(isAnonymized ? [ANONYMIZED, seam] : [])].filter(
    (each) => each !== null,
  )
  const after = isVitest ? 'afterAll' : 'after'
  const names = usesApi ? `${after}, ` : ''
  const env = [
    ...(hasEnv ? ['...bindings'] : []),
    `${secret}: 'test'`,
    ...(usesApi ? ['SIDECARD_API_URL: url', 'SIDECARD_API_TOKEN: emulator.accessToken'] : []),
  ]
  const headers = headerNames.map((header) => `${quoteForScript(header)}: 'test'`)
  const source = [
    isVitest
      ? `import { ${names}expect, test } from 'vitest'`
      : `import assert from 'node:assert/strict'\nimport { ${names}test } from 'node:test'`,
    usesApi && "import { createEmulator } from 'sidecard/emulator'",
    "import { createTestService } from 'sidecard/testing'",
    ...imports,
    hasEnv && "import { env as bindings } from './env.ts'",
    `import recording from './fixtures/${name}.json' with { type: 'json' }`,
    '',
    '// Saved from the Sidecard workspace: opens the issue with the recorded IDs in your app.',
    ...changes.map((each) => `// ${each}`),
    // The imported app may already have this name.
    expression !== 'app' && `const app = ${expression}`,
    usesApi && `const emulator = createEmulator()\n${after}(() => emulator.close())`,
    usesApi && 'const { url } = await emulator.listen()',
    `const env = { ${env.join(', ')} }`,
    `const headers = {${headers.length === 0 ? '' : ` ${headers.join(', ')} `}}`,
    'const expected = [',
    ...lines.map((line) => `  ${quoteForScript(line)},`),
    ']',
    '',
    `test('shows ${name} as recorded', async () => {`,
    '  const service = createTestService(app, { env, headers })',
    '  const { text } = await service.openIssue(recording.request.params)',
    isVitest
      ? "  expect(text.trimEnd().split('\\n')).toEqual(expected)"
      : "  assert.deepEqual(text.trimEnd().split('\\n'), expected)",
    '})',
    '',
  ].filter((line) => line !== false)
  return { text: source.join('\n'), change: changes.length === 0 ? null : changes.join(' ') }
}

const ANONYMIZED =
  'IDs and personal data are placeholders: in the fixture and in `expected`, write IDs and values that your test data contains.'
