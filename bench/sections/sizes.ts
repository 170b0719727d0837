import { bundleWorker } from '../workers/bundle.ts'

const WORKERS = {
  'raw handler, unchecked': 'bench/workers/raw.ts',
  'bare Hono, unchecked': 'bench/workers/bare-hono.ts',
  'Sidecard: a card with the usual components, behind a secret': 'bench/workers/sidecard.ts',
  'the same with `payloadCache()` and `memoryStore()`': 'bench/workers/cached.ts',
  'template `workers`: with sections and the API client': 'templates/workers/src/index.ts',
} as const

/** Measures Workers as they are uploaded: minified and gzipped, Hono included. */
export async function measureSizes(): Promise<readonly (readonly [string, number])[]> {
  return Promise.all(
    Object.entries(WORKERS).map(
      async ([name, entry]) => [name, (await bundleWorker(entry)).gzippedBytes] as const,
    ),
  )
}
