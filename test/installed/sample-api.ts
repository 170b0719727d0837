let url: Promise<string> | undefined

/** Starts the sample of the customer API, for servers that run without the file that starts it. */
export function startSampleApi(): Promise<string> {
  return (url ??= start())
}

async function start(): Promise<string> {
  await import('../../templates/http-node/dev/source.ts')
  const { API_URL = '' } = process.env
  // The projects start their own.
  delete process.env['API_URL']
  return API_URL
}
