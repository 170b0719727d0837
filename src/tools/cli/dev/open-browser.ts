import { spawn } from 'node:child_process'

const OPENERS: { readonly [Platform in string]?: readonly string[] } = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Opens a page in the default browser, if there is one. */
export function openBrowser(url: string): void {
  const [program = '', ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}
