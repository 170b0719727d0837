import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openWorkspace, startDev, temporaryFolder } from '../helpers/dev-command.ts'
import { findFreePort } from '../helpers/free-port.ts'

const WORKER = `
export default {
  fetch(request, env) {
    const { searchParams } = new URL(request.url)
    const code = searchParams.get('code')
    if (searchParams.get('request_type') === 'verify') return Response.json({ code })
    console.log('fetched with ' + env.SIDECARD_DEV)
    const header = { title: 'Test', icon_url: 'https://example.com/i.png' }
    const components = [{ type: 'text', label: 'Says', value: 'first' }]
    return Response.json({ version: '1.0.0', header, components })
  },
}
`

test('a Worker is fetched once per save, and its failed build is reported with file and line', async () => {
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
  const packages = fileURLToPath(new URL('../../node_modules', import.meta.url))
  symlinkSync(packages, join(folder, 'node_modules'))
  const wrangler = ['wrangler', 'dev', '--port', port, '--inspector-port', '0']
  const url = `http://127.0.0.1:${port}`
  const dev = startDev(folder, '--url', url, '--', ...wrangler, '--var', 'SIDECARD_DEV:1')
  const [, page = ''] = await dev.until(/Workspace {2}(http:\S+)/)
  await dev.until(/connected {2}/)
  const workspace = await openWorkspace(page)
  expect((await workspace.sidebar()).says).toBe('first')
  const fetches = () => [...dev.output().matchAll(/^fetched with 1$/gm)].length
  await dev.until(/^fetched with 1$/m)
  expect(fetches()).toBe(1)
  // The grace period after our own request.
  await sleep(300)

  edit((text) => text.replace("'first'", "'second'"))
  await workspace.nextChange()
  expect((await workspace.sidebar()).says).toBe('second')
  // Longer than the next probe takes.
  await sleep(1_500)
  expect(fetches()).toBe(2)

  edit((text) => `${text}\nthis is not JavaScript`)
  await dev.until(/your command failed at src\/index\.js:\d+[^]*this is not JavaScript/)
  expect((await workspace.get('state')).devServer).toMatchObject({
    state: 'failed',
    location: { file: 'src/index.js' },
  })

  dev.child.kill('SIGINT')
  expect(await dev.exit).toEqual([0, null])
  await expect(fetch(url)).rejects.toThrow('fetch failed')
}, 60_000)
