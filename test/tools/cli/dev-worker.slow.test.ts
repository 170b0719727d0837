import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { openWorkspace, startDev, temporaryFolder } from '../../helpers/dev-command.ts'
import { findFreePort } from '../../helpers/free-port.ts'

const WORKER = `
export default {
  fetch(request, env) {
    const { searchParams } = new URL(request.url)
    const code = searchParams.get('code')
    if (searchParams.get('request_type') === 'verify') return Response.json({ code })
    console.log('fetched with ' + env.SIDECARD_DEV)
    console.log('api ' + env.SIDECARD_API_URL + ' ' + env.SIDECARD_API_TOKEN)
    const header = { title: 'Test', icon_url: 'https://example.com/i.png' }
    const components = [{ type: 'text', label: 'Says', value: 'first' }]
    return Response.json({ version: '1.0.0', header, components })
  },
}
`

/** On a busy machine, wrangler may need a minute for new code. */
const SLOW = { timeout: 100_000, interval: 200 }

test('a Worker gets the API, and its failures are reported with file and line', async () => {
  const folder = temporaryFolder()
  const port = String(await findFreePort())
  const source = join(folder, 'src', 'index.js')
  const edit = (change: (text: string) => string) =>
    writeFileSync(source, change(readFileSync(source, 'utf8')))
  mkdirSync(join(folder, 'src'))
  writeFileSync(source, WORKER)
  writeFileSync(
    join(folder, 'wrangler.jsonc'),
    '{ "name": "test", "main": "src/index.js", "compatibility_date": "2026-01-01" }',
  )
  writeFileSync(
    join(folder, '.dev.vars'),
    'SIDECARD_API_URL=http://127.0.0.1:4310\nSIDECARD_API_TOKEN=own-token\n',
  )
  const packages = fileURLToPath(new URL('../../../node_modules', import.meta.url))
  symlinkSync(packages, join(folder, 'node_modules'))
  const wrangler = ['wrangler', 'dev', '--inspector-port', '0']
  const url = `http://127.0.0.1:${port}`
  const dev = startDev(folder, '--url', url, '--', ...wrangler)
  const [, page = ''] = await dev.until(/Workspace {2}(http:\S+)/)
  await dev.until(/connected {2}/)
  const workspace = await openWorkspace(page)
  const says = (expected: string) =>
    vi.waitFor(async () => expect((await workspace.sidebar()).says).toBe(expected), SLOW)
  await says('first')
  await dev.until(/^fetched with 1$/m)
  // .dev.vars names another port, but the Worker gets the URL of this workspace.
  const [, api = '', token] = await dev.until(/^api (\S+) (\S+)$/m)
  expect(`${api}/`).toBe(page)
  expect(token).toBe('own-token')

  edit((text) => text.replace("'first'", "'second'"))
  await says('second')

  edit((text) => `${text}\nthis is not JavaScript`)
  await dev.until(/not JavaScript[^]*your command failed at src\/index\.js:\d+\n/)
  expect((await workspace.get('state')).devServer).toMatchObject({
    state: 'failed',
    location: { file: 'src/index.js' },
  })

  // An error while the module loads ends wrangler. On a busy machine, it ends some time after the
  // error is printed and reported.
  edit(() => `const config = JSON.parse('{ oops')\n${WORKER}`)
  await dev.until(/your command failed(?: \(exit code 1\))? at src\/index\.js:1\n/)
  await dev.until(/your command (?:failed|ended) \(exit code 1\)/)
  expect((await workspace.get('state')).devServer).toMatchObject({
    state: 'failed',
    location: { file: 'src/index.js', line: 1 },
    excerpt: expect.stringContaining('Expected property name'),
  })
  edit(() => WORKER.replace('first', 'third'))
  await says('third')

  dev.child.kill('SIGINT')
  expect(await dev.exit).toEqual([0, null])
  await expect(fetch(url)).rejects.toThrow('fetch failed')
}, 400_000)
