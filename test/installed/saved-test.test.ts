import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { TEMPLATE_NAMES } from '../../src/cli/new/templates.ts'
import { TOKEN_HEADER } from '../../src/emulator/protocol/workspace.ts'
import { hasRegistry, openPlace, restoreProject, takeTurns } from './project.ts'
import { type BlockRun, runBlock } from './run-block.ts'
import { runOrThrow, runProgram } from './run-program.ts'

takeTurns()

let dev: BlockRun | undefined
afterEach(() => dev?.stop())

/** Saves a widget of an issue as a test, as the workspace does. */
async function saveTest(project: string): Promise<readonly string[]> {
  dev = await runBlock('npm run dev', project)
  const [, url = ''] = /^Workspace {2}(http:\S+)/m.exec(dev.output) ?? []
  const page = await (await fetch(url)).text()
  const [, token = ''] = /name="sidecard-token" content="(\w+)"/.exec(page) ?? []
  const headers = { [TOKEN_HEADER]: token, 'content-type': 'application/json' }
  const post = async (path: string, body: object): Promise<any> => {
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await fetch(`${url}-/${path}`, init)).json()
  }
  const { widgets } = await post('issues/iss_1042/open', {})
  const { exchangeId, outcome } = widgets[0]
  expect(outcome).toBe('rendered')
  const input = { as: 'test', name: 'acme', anonymize: false }
  const { files, change } = await post(`exchanges/${exchangeId}/save`, input)
  expect(change).toBeNull()
  await dev.stop()
  return files
}

describe.skipIf(!hasRegistry)('the workspace saves a test', () => {
  test.each(TEMPLATE_NAMES)(
    'in a project of %s that passes, and fails when fetchData throws',
    async (template) => {
      const project = await openPlace(template)
      onTestFinished(() => restoreProject(project))
      expect(await saveTest(project)).toEqual(['test/fixtures/acme.json', 'test/acme.test.ts'])

      await runOrThrow(project, 'npm', ['run', 'check'])
      // vitest ends a test after five seconds, which a busy machine needs.
      const isWorker = existsSync(join(project, 'wrangler.jsonc'))
      const [program, args] = isWorker
        ? ['npx', ['vitest', 'run', '--testTimeout=60000', 'test/acme.test.ts']]
        : [process.execPath, ['--test', 'test/acme.test.ts']]
      const passed = await runOrThrow(project, program, args)
      expect(passed).toMatch(/1 passed|pass 1/)

      const app = join(project, 'src/app.ts')
      const source = readFileSync(app, 'utf8')
      const broken = source.replace('fetchData: (ctx) => ', 'fetchData: (ctx) => fail() ?? ')
      expect(broken).not.toBe(source)
      writeFileSync(
        app,
        `${broken}\nfunction fail(): undefined {\n  throw new Error('broken')\n}\n`,
      )
      const failed = await runProgram(project, program, args)
      expect(failed.output).toMatch(/1 failed|fail 1/)
      expect(failed.output).toContain('shows acme as recorded')
      expect(failed.exitCode).toBe(1)
    },
  )
})
