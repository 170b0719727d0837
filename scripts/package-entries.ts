import manifest from '../package.json' with { type: 'json' }

/** The entries of the package that are code, with their source files. */
export const ENTRIES: ReadonlyArray<readonly [entry: string, file: string]> = Object.entries(
  manifest.exports,
).flatMap(([path, target]) =>
  typeof target === 'string'
    ? []
    : [
        [
          `sidecard${path.slice(1)}`,
          target.types.replace('./dist/', 'src/').replace(/\.d\.ts$/, '.ts'),
        ],
      ],
)
