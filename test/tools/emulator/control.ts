import { onTestFinished } from 'vitest'
import { createEmulator } from 'sidecard/emulator'
import { exchange } from '../../helpers/raw-http.ts'
import { CONTROL_PREFIX, TOKEN_HEADER } from '../../../src/tools/emulator/protocol/workspace.ts'

/** A listening emulator and the token in its page. */
export async function start() {
  const emulator = createEmulator()
  onTestFinished(() => emulator.close())
  const { url, port } = await emulator.listen()
  const page = await (await fetch(`${url}/`)).text()
  const token = /<meta name="sidecard-token" content="(\w+)"/.exec(page)?.[1] ?? ''
  const control = (path: string, init: { method?: string; body?: unknown; token?: string } = {}) =>
    fetch(`${url}${CONTROL_PREFIX}${path}`, {
      method: init.method ?? (init.body === undefined ? 'GET' : 'POST'),
      headers: { [TOKEN_HEADER]: init.token ?? token, 'content-type': 'application/json' },
      ...(init.body !== undefined && { body: JSON.stringify(init.body) }),
    })
  return { emulator, url, port, token, control }
}

/** An in-process endpoint without findings. */
export const echo = {
  fetch(request: Request) {
    const code = new URL(request.url).searchParams.get('code')
    const header = { title: 'Echo', icon_url: 'https://example.com/i.png' }
    return Response.json(code === null ? { version: '1.0.0', header, components: [] } : { code })
  },
}

/** Sends a raw request head, and reads the whole response. */
export function sendHead(port: number, lines: readonly string[]): Promise<string> {
  return exchange(port, `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`)
}
