import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { openWorkspace, startDev, temporaryFolder } from '../../helpers/dev-command.ts'
import { findFreePort } from '../../helpers/free-port.ts'

/**
 * An endpoint that counts its data fetches on standard output. It runs `onFetch`
 * for each, and shows the content of `content.ts`, like a server that replaces
 * its code without a restart.
 */
const server = (port: number, onFetch: string) => `
import { createServer } from 'node:http'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
let count = 0
createServer((request, response) => {
  const { searchParams } = new URL(request.url, 'http://x')
  response.setHeader('content-type', 'application/json')
  if (searchParams.get('request_type') === 'verify') {
    return response.end(JSON.stringify({ code: searchParams.get('code') }))
  }
  count += 1
  console.log('fetch ' + count)
  const value = readFileSync('content.ts', 'utf8')
  const components = [{ type: 'text', label: 'Says', value }]
  const body = JSON.stringify({ version: '1.0.0', header: { title: 'T', icon_url: 'https://example.com/i.png' }, components })
  ${onFetch}
  response.end(body)
}).listen(${port}, '127.0.0.1', () => console.log('listening ' + process.pid))
`

/** Longer than another load would take. */
const SETTLED_MS = 1_600

async function start({ watch = false, onFetch = '' } = {}) {
  const folder = temporaryFolder()
  const port = await findFreePort()
  writeFileSync(join(folder, 'server.mjs'), server(port, onFetch))
  writeFileSync(join(folder, 'content.ts'), 'first')
  const command = [process.execPath, ...(watch ? ['--watch'] : []), 'server.mjs']
  const dev = startDev(folder, '--url', `http://127.0.0.1:${port}`, '--', ...command)
  const [, url = ''] = await dev.until(/Workspace {2}(http:\S+)/)
  await dev.until(/connected {2}/)
  const workspace = await openWorkspace(url)
  const pageLoads = async () => {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- as the page does: one load for each event
      const event = await workspace.nextChange()
      // oxlint-disable-next-line no-await-in-loop -- as above
      await workspace.openIssue(event)
    }
  }
  await workspace.openIssue()
  void pageLoads().catch(() => undefined)
  const fetches = () => [...dev.output().matchAll(/^fetch \d+/gm)].length
  return {
    folder,
    dev,
    fetches,
    save: (path: string, text: string) => writeFileSync(join(folder, path), text),
  }
}

describe('a save', () => {
  test('causes at most two data fetches, if the process restarts', async () => {
    const { dev, fetches, folder } = await start({ watch: true })
    // The response can arrive before the output.
    await expect.poll(fetches).toBe(1)
    appendFileSync(join(folder, 'server.mjs'), '// saved\n')
    await dev.until(/listening \d+[^]*listening \d+[^]*fetch 1\n/)
    await sleep(2 * SETTLED_MS)
    // The responses have no ID.
    expect(fetches()).toBeLessThanOrEqual(3)
  }, 30_000)
})

describe('a file that the endpoint itself writes', () => {
  test('waits, and the terminal says so', async () => {
    const { dev, save } = await start({
      onFetch: "writeFileSync('state.json', String(Math.random()))",
    })
    save('content.ts', 'second')
    const note = /state\.json changed during each of the last reloads, .* so it waits\./
    expect((await dev.until(note))[0]).toContain('as if your app writes it')
  }, 30_000)

  test('during a request does not hide a restart that a save caused at the same time', async () => {
    const { dev, folder, fetches } = await start({
      watch: true,
      onFetch: "writeFileSync('state.json', String(count))",
    })
    const before = fetches()
    appendFileSync(join(folder, 'server.mjs'), '// saved\n')
    await dev.until(/listening \d+[^]*listening \d+/)
    await vi.waitFor(() => expect(fetches()).toBeGreaterThan(before), { timeout: 50_000 })
  }, 100_000)
})
