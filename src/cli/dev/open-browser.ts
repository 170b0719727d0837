import { spawn } from 'node:child_process'

/** Opens a page in the default browser, if there is one. */
export function openBrowser(url: string): void {
  const [program, ...args]: readonly [string, ...string[]] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '', url]
        : ['xdg-open', url]
  const child = spawn(program, args, { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}
