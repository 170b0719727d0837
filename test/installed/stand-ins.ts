/** What stands for something that exists for the reader only. Everything else runs as it is written. */
const STAND_INS: readonly (readonly [RegExp, (values: StandIns, name?: string) => string])[] = [
  // The package is not published, so the packed one is used.
  [
    /npm create sidecard@latest (?<name>[\w-]+)(?: --(?= ))?/g,
    ({ cli, tarball }, name) => `${cli} new ${name} --sidecard file:${tarball}`,
  ],
  // The endpoint in production is the one that runs in the project.
  [
    /https:\/\/(?:[\w-]+\.)*example\.(?:com|workers\.dev)(?:\/[\w/-]*)?/g,
    () => 'http://127.0.0.1:8787',
  ],
  // The clone is already installed, and CI has no account to deploy with.
  [/npm ci && /g, () => ''],
  [/npm run deploy(?= {2,}#|$)/gm, () => 'npm run deploy -- --dry-run'],
]

/** The values of one run. */
export interface StandIns {
  /** The program of the packed CLI. */
  readonly cli: string
  readonly tarball: string
}

/** Replaces what only the reader has. */
export function fillIn(code: string, values: StandIns): string {
  let filled = code
  for (const [pattern, replacement] of STAND_INS) {
    filled = filled.replaceAll(pattern, (_match, name: unknown) =>
      replacement(values, typeof name === 'string' ? name : undefined),
    )
  }
  return filled
}
