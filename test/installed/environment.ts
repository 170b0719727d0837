import { dirname, join } from 'node:path'
import { root } from './root.ts'

/** Bun and Deno, which the reader of their page has. */
export const RUNTIMES = join(root, '.scratch/runtimes')

/** The environment of a user: this Node, these runtimes, and no variable or program of the repository. */
export function environment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(?:npm_(?!config_registry)|VITEST|NODE_ENV$|NODE_OPTIONS$|CI$|SIDECARD_)/i.test(name),
  )
  const path = (process.env['PATH'] ?? '')
    .split(':')
    .filter((each) => !each.includes('node_modules'))
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    PATH: [dirname(process.execPath), RUNTIMES, ...path].join(':'),
    NO_COLOR: '1',
    // The pages check the app at the default port.
    PORT: '8787',
    // For the first commit of a project.
    GIT_AUTHOR_NAME: 'Jane',
    GIT_AUTHOR_EMAIL: 'jane@example.com',
    GIT_COMMITTER_NAME: 'Jane',
    GIT_COMMITTER_EMAIL: 'jane@example.com',
  }
}
