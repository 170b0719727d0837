import { SidecardError } from '../../internal/errors.ts'
import { isJsonObject } from '../../service/json-object.ts'
import { createRecording, type Recording, replay } from '../../service/recording.ts'
import { createTestService } from '../../service/test-service.ts'
import type { SaveInput, SaveResult } from '../protocol/exchanges.ts'
import type { Project } from '../store/project-files.ts'
import { findApp, findSecretBinding, findTestExport } from './find-app.ts'
import { anonymizeExchange } from './anonymize-exchange.ts'
import type { LoggedExchange } from './exchange-log.ts'
import { quoteForScript } from './request-code.ts'

/**
 * Saves a data fetch as a fixture, or as a fixture and a test that runs it.
 *
 * @throws {SidecardError} `not_saveable` for a request without a complete JSON response; `invalid_name`, `file_exists`, `cannot_write`
 */
export async function saveExchange(
  logged: LoggedExchange,
  { as, anonymize, name: given }: Omit<Required<SaveInput>, 'name'> & { name: string | undefined },
  project: Project,
): Promise<SaveResult> {
  const name = chooseName(logged, given, project)
  const { recording, replaced, kept } = recordExchange(logged, anonymize)
  const text = `${JSON.stringify(recording, null, 2)}\n`
  const files = [{ path: `test/fixtures/${name}.json`, text }]
  let change: string | null = null
  if (as === 'test') {
    const isAnonymized = Object.values(replaced ?? {}).some((count) => count > 0)
    const test = await createTest(recording, name, isAnonymized, project)
    files.push({ path: `test/${name}.test.ts`, text: test.text })
    change = test.change
  }
  project.write(files)
  return { files: files.map(({ path }) => path), replaced, kept, change }
}

/** Returns the given name, or an unused one that consists of the app and the outcome. */
function chooseName(
  { appName, outcome }: LoggedExchange,
  name: string | undefined,
  project: Project,
): string {
  if (name !== undefined) {
    if (/^[a-z\d](?:[a-z\d-]{0,62}[a-z\d])?$/i.test(name)) return name
    const message =
      'The name may contain letters, digits and hyphens, at most 64. Choose another name.'
    throw new SidecardError('invalid_name', message)
  }
  const words = `${appName}-${outcome}`.toLowerCase().replaceAll(/[^a-z\d]+/g, '-')
  const stem = words.replace(/^-/, '').slice(0, 50).replace(/-$/, '')
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? stem : `${stem}-${count}`
    const paths = [`test/fixtures/${candidate}.json`, `test/${candidate}.test.ts`]
    if (!paths.some((path) => project.has(path))) return candidate
  }
}

function recordExchange(logged: LoggedExchange, isAnonymized: boolean) {
  const { request, response, kind } = logged
  const { params, body, replaced, kept } = anonymizeExchange(logged, { keep: !isAnonymized })
  if (kind !== 'fetch_data' || response === null || response.truncated || !isJsonObject(body)) {
    const message = 'Only a data fetch with a complete JSON object as its response can be saved.'
    throw new SidecardError('not_saveable', message)
  }
  return { recording: createRecording(params, request, response, body), replaced, kept }
}

/** Creates a test that opens the issue in the user's own app, and expects what the agent saw. */
async function createTest(
  recording: Recording,
  name: string,
  isAnonymized: boolean,
  project: Project,
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
  const hints = isAnonymized ? [ANONYMIZED, seam] : []
  const changes = [change, ...hints].filter((each) => each !== null)
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
