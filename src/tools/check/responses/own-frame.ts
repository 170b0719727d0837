/** Matches stack frames that are not the user's own code. */
const FOREIGN = /node_modules|\.wrangler|\bnode:|<anonymous>|\bnative\b/

/**
 * Returns the location of the first stack frame in the user's own code, such as
 * `src/app.ts:12:9`.
 */
export function findOwnFrame(stack: string | undefined): string | undefined {
  const frames = (stack ?? '').split('\n').filter((line) => /^\s*at\s/.test(line))
  const ownFrame = frames.find((line) => !FOREIGN.test(line) && /:\d+/.test(line))
  return ownFrame?.trim().replace(/^at\s+/, '')
}
