import { bundleWorker } from '../workers/bundle.ts'

/** The weight of a Worker as it is uploaded: minified and gzipped, Hono included. */
export async function measureSizes(): Promise<readonly (readonly [string, number])[]> {
  const workers = {
    'raw handler, nothing checked': 'bench/workers/raw.ts',
    'bare Hono, nothing checked': 'bench/workers/bare-hono.ts',
    'sidecard: a card with the usual components, behind a secret': 'bench/workers/sidecard.ts',
    'template `workers`: with sections and the API client': 'templates/workers/src/index.ts',
  }
  return Promise.all(
    Object.entries(workers).map(
      async ([name, entry]) => [name, (await bundleWorker(entry)).gzippedBytes] as const,
    ),
  )
}
