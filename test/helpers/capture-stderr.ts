import { onTestFinished, vi } from 'vitest'

/** Captures standard error until the test ends. */
export function captureStderr(): () => string {
  let text = ''
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    text += String(chunk)
    return true
  })
  onTestFinished(() => spy.mockRestore())
  return () => text
}
