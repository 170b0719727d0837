import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestContext } from 'vitest'
import { openWorkspace, startDev, temporaryFolder } from '../../helpers/dev-command.ts'
import { findFreePort } from '../../helpers/free-port.ts'

const source = (path: string) => fileURLToPath(new URL(`../../../src/${path}`, import.meta.url))

/** How code reaches a server: `dev` restarts it, or it reloads itself. */
export type Host = 'node' | 'node --watch' | 'wrangler'

const APP = `
import { noAuth, sidecard, text } from '${source('index.ts')}'
import { title } from './title.ts'
const header = { title: 'Test', icon_url: 'https://example.com/i.png' }
const fetchData = () => [text({ label: 'Says', value: title })]
export const app = sidecard({ header, auth: noAuth(), fetchData })
`

const SERVER = `
import { serve } from '${source('runtime/node/index.ts')}'
import { app } from './app.ts'
await serve(app, { port: Number(process.env.PORT) })
`

/** The code of a title. Each has other bytes. */
export const code = (title: string) => `export const title = ${JSON.stringify(title)}\n`

/**
 * Runs `sidecard dev` in a project with a real app, and a page that loads the
 * sidebar after each event.
 */
export async function startProject(host: Host, { expect, onTestFinished: onEnd }: TestContext) {
  const folder = temporaryFolder(onEnd)
  const port = await findFreePort()
  const write = (name: string, text: string, flag = 'w') =>
    writeFileSync(join(folder, name), text, { flag })
  const replace = (name: string, text: string) => {
    write(`${name}~`, text)
    renameSync(join(folder, `${name}~`), join(folder, name))
  }
  write('app.ts', APP)
  write('title.ts', code('first'))
  if (host === 'wrangler') {
    write('worker.ts', "import { app } from './app.ts'\nexport default app\n")
    write(
      'wrangler.json',
      '{ "name": "test", "main": "worker.ts", "compatibility_date": "2026-01-01", "compatibility_flags": ["nodejs_compat"] }',
    )
  } else write('server.ts', SERVER)
  symlinkSync(
    fileURLToPath(new URL('../../../node_modules', import.meta.url)),
    join(folder, 'node_modules'),
  )
  mkdirSync(join(folder, 'data'))
  const command = {
    node: [process.execPath, 'server.ts'],
    'node --watch': [process.execPath, '--watch', 'server.ts'],
    wrangler: ['wrangler', 'dev', '--inspector-port', '0'],
  }[host]
  const url = `http://127.0.0.1:${port}/`
  const dev = startDev({ cwd: folder, onEnd }, '--json', '--url', url, '--', ...command)
  const [, page = ''] = await dev.until(/"workspace":"(http:[^"]+)"/)
  const workspace = await openWorkspace(page, onEnd)
  // If the first handshake of a slow server timed out, its answer causes a load.
  await expect
    .poll(async () => (await workspace.get('state')).saves[0]?.phase, { timeout: 100_000 })
    .toMatch(/current|shown/)
  const linesBefore = dev.output().split('\n').length - 1
  /** What each load of the page showed. */
  const loads: string[] = []
  const load = async (event?: object) => {
    const { outcome, says } = await workspace.sidebar(event)
    loads.push(says ?? outcome)
  }
  await load()
  const follow = async () => {
    for (;;) {
      // oxlint-disable no-await-in-loop -- one load for each event, as the page does
      await load(await workspace.nextChange())
      // oxlint-enable no-await-in-loop
    }
  }
  void follow().catch(() => undefined)
  const events = () =>
    dev
      .output()
      .split('\n')
      .slice(linesBefore)
      .filter((line) => line.startsWith('{"event"'))
      .map((line) => JSON.parse(line) as { event: string; [name: string]: unknown })
      .filter(({ event }) => event !== 'ready')
  return {
    ...dev,
    folder,
    write,
    replace,
    loads,
    events,
    workspace,
    /** The text that the server responds with. */
    async says(): Promise<string> {
      const response = await fetch(`${url}?request_type=fetch_data`)
      const { components } = (await response.json()) as { components: { value: string }[] }
      return components[0]?.value ?? ''
    },
    /** Waits until the page shows a text, and returns the milliseconds. */
    async shows(text: string): Promise<number> {
      const startedAt = performance.now()
      await expect.poll(() => loads.at(-1), { timeout: 100_000, interval: 10 }).toBe(text)
      return performance.now() - startedAt
    },
    /** Waits for the next event after the first `count` ones. */
    async event(count: number): Promise<{ event: string; [name: string]: unknown }> {
      await expect
        .poll(() => events().length, { timeout: 100_000, interval: 10 })
        .toBeGreaterThan(count)
      return events()[count] ?? { event: 'none' }
    },
  }
}
