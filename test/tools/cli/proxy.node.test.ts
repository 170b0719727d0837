import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startProxy } from '../../helpers/proxy.ts'
import { cli } from '../../helpers/cli.ts'
import { listen } from '../../helpers/listen.ts'
import { startEndpoint } from './tunnel-endpoint.ts'

const folder = mkdtempSync(join(tmpdir(), 'sidecard-proxy-'))
const URL_BEHIND_PROXY = 'http://widget.test/widget'

describe('a command behind a proxy', () => {
  test.each([
    ['check', [URL_BEHIND_PROXY, '--only', 'handshake', '--no-expect-auth']],
    ['render', [URL_BEHIND_PROXY]],
    ['record', [URL_BEHIND_PROXY, '--output', join(folder, 'recorded.json')]],
  ])('%s sends its requests through HTTP_PROXY', async (command, args) => {
    const { url, received } = await startEndpoint()
    const proxy = await startProxy(url.href)
    const { exitCode } = await cli([command, ...args], { env: { HTTP_PROXY: proxy.url } })
    expect(exitCode).not.toBe(3)
    expect(received.length).toBeGreaterThan(0)
    expect(proxy.requests).toHaveLength(received.length)
    expect(new Set(proxy.requests)).toEqual(new Set(['GET widget.test']))
  })

  test('https requests open a tunnel through HTTPS_PROXY, and a rejected one is unreachable', async () => {
    const proxy = await startProxy('http://127.0.0.1:1')
    const { exitCode, stderr } = await cli(['render', 'https://widget.test/'], {
      env: { HTTPS_PROXY: proxy.url },
    })
    expect(proxy.requests).toEqual(['CONNECT widget.test:443'])
    expect(stderr).toContain('unreachable (ERR_PROXY_TUNNEL')
    expect(exitCode).toBe(3)
  })

  test.each([
    ['NO_PROXY', 'widget.test'],
    ['no_proxy', '.test'],
  ])('%s excludes a host, and the error names the variables', async (name, value) => {
    const proxy = await startProxy('http://127.0.0.1:1')
    const { exitCode, stderr } = await cli(['render', URL_BEHIND_PROXY], {
      env: { HTTP_PROXY: proxy.url, [name]: value },
    })
    expect(proxy.requests).toEqual([])
    expect(stderr).toMatch(
      /unreachable \(\w+\)\. .*Behind a proxy, set HTTPS_PROXY or HTTP_PROXY\./,
    )
    expect(exitCode).toBe(3)
  })

  test('requests to this machine never use the proxy', async () => {
    const { received, url } = await startEndpoint()
    const proxy = await startProxy(url.href)
    const env = { HTTP_PROXY: proxy.url }
    expect((await cli(['render', url.href], { env })).exitCode).toBe(0)
    expect(received).toHaveLength(1)
    expect(proxy.requests).toEqual([])
  })

  test('an invalid proxy is an error, not a direct request', async () => {
    let requests = 0
    await listen(() => (requests += 1))
    const env = { HTTP_PROXY: 'http://user:pa ss@:x' }
    const { exitCode, stderr } = await cli(['render', URL_BEHIND_PROXY], { env })
    expect(stderr).toContain('unreachable (')
    expect(stderr).not.toContain('pa ss')
    expect(requests).toBe(0)
    expect(exitCode).toBe(3)
  })
})
