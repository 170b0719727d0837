import type { ChildProcess } from 'node:child_process'

/** Collects the output of a process, and waits until it contains a text. */
export function collectOutput(process: ChildProcess) {
  let text = ''
  const waiting = new Set<() => void>()
  for (const stream of [process.stdout, process.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      for (const check of waiting) check()
    })
  }
  return {
    text: () => text,
    until: (pattern: RegExp) =>
      new Promise<RegExpExecArray>((resolve) => {
        const check = () => {
          const match = pattern.exec(text)
          if (match === null) return
          waiting.delete(check)
          resolve(match)
        }
        waiting.add(check)
        check()
      }),
  }
}
