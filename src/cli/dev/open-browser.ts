import { spawn } from 'node:child_process'

/** Opens a page in the person's browser; without one nothing happens. */
export function openBrowser(url: string): void {
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '', url]
        : ['xdg-open', url]
  const child = spawn(program ?? '', args, { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}
