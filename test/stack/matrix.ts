import { readFileSync } from 'node:fs'

const MOUNTED = '/widgets/billing'

/** The page and the heading of the block of each host, its path, and the package that the page names. */
const HOSTS = {
  'serve()': ['deploy', 'Node', '', 'node'],
  'node:http': ['with-your-stack', 'node:http', '', 'node'],
  'HTTP/2': ['with-your-stack', 'HTTP/2', '', 'node'],
  Express: ['with-your-stack', 'Express', MOUNTED, 'express'],
  Fastify: ['with-your-stack', 'Fastify', MOUNTED, 'fastify'],
  Bun: ['with-your-stack', 'Bun', '', 'bun'],
  Deno: ['with-your-stack', 'Deno', '', 'deno'],
  Workers: ['with-your-stack', 'Cloudflare Workers', '', 'wrangler'],
  'Workers with assets': ['with-your-stack', 'Workers with static assets', MOUNTED, 'wrangler'],
  Vercel: ['with-your-stack', 'Vercel', '/api/billing', '@vercel/functions'],
  Netlify: ['with-your-stack', 'Netlify', MOUNTED, 'hono'],
  'AWS Lambda': ['with-your-stack', 'AWS Lambda', '', 'hono'],
} as const
export type HostName = keyof typeof HOSTS
export const NAMES = Object.keys(HOSTS) as HostName[]

/** Platforms that cannot run here. A server of the test calls their functions as they do. */
const FUNCTIONS: readonly HostName[] = ['Vercel', 'Netlify', 'AWS Lambda']

/** The edits that add a parser of the host to a block. */
const PARSERS: Partial<Record<HostName, readonly [from: string, to: string]>> = {
  Express: ['express()', 'express().use(express.urlencoded())'],
  Fastify: [
    '(_request, _body, done) => done(null)',
    "{ parseAs: 'string' }, (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body))))",
  ],
}

/** Returns how a host is documented. */
export function hostOf(name: HostName) {
  const [guide, title, path, packageName] = HOSTS[name]
  const isFunction = FUNCTIONS.includes(name)
  return { guide, title, path, packageName, isFunction, parser: PARSERS[name] }
}

/** The code that reads a form before the app. */
export const READERS = ['nobody', 'a parser of the host', 'a middleware'] as const
export type Reader = (typeof READERS)[number]

export const FEATURES = [
  'the handshake',
  'a data fetch',
  'the page of an action',
  'a form with an error',
  'a form with values',
  'a form with a review',
  'a confirmation',
  'an audit record',
  'ctx.waitUntil()',
  'the health check',
  'a conforming endpoint',
  'a stop',
] as const
export type Feature = (typeof FEATURES)[number]

/** Parts of the product that cannot run. The page shows them with their reasons. */
export const EMPTY: ReadonlyArray<{
  readonly hosts: readonly HostName[]
  readonly readers: readonly Reader[]
  readonly features: readonly Feature[]
  readonly reason: string
}> = [
  {
    hosts: NAMES.filter((name) => hostOf(name).parser === undefined),
    readers: ['a parser of the host'],
    features: FEATURES,
    reason: 'the host parses no forms',
  },
  {
    hosts: ['Workers', 'Workers with assets', ...FUNCTIONS],
    readers: READERS,
    features: ['a stop'],
    reason: 'the platform ends the program',
  },
  {
    hosts: ['Bun', 'Deno'],
    readers: READERS,
    features: ['a stop'],
    reason: 'the block does not handle SIGTERM',
  },
]

/** A program of the matrix, and the features that are tried in it. */
export interface Program {
  readonly host: HostName
  readonly reader: Reader
  readonly features: readonly Feature[]
}

/** The product of the dimensions, without the empty part. */
export const PROGRAMS: readonly Program[] = NAMES.flatMap((host) =>
  READERS.map((reader) => {
    const isEmpty = (feature: Feature) =>
      EMPTY.some(
        ({ hosts, readers, features }) =>
          hosts.includes(host) && readers.includes(reader) && features.includes(feature),
      )
    return { host, reader, features: FEATURES.filter((feature) => !isEmpty(feature)) }
  }),
).filter(({ features }) => features.length > 0)

function versionOf(name: string): string {
  const manifest = new URL(`../../node_modules/${name}/package.json`, import.meta.url)
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}

/** Returns the page “With your stack” with the table of what the matrix runs. */
export function updateStackPage(page: string): string {
  const rows = NAMES.map((host) => {
    const { packageName: name, isFunction } = hostOf(host)
    const cells = READERS.map((reader) =>
      PROGRAMS.some((each) => each.host === host && each.reader === reader) ? '✓' : '–',
    )
    const version = `${name === host.toLowerCase() ? '' : `${name} `}${versionOf(name)}`
    return [host + (isFunction ? '\\*' : ''), version, ...cells]
  })
  const table = [['Host', 'Version', ...READERS], ['---', '---', '---', '---', '---'], ...rows]
  const reasons = EMPTY.map(({ hosts, features, reason }) =>
    features.length === FEATURES.length
      ? `- **–**: ${reason}`
      : `- **${hosts.join(', ')}**, without ${features.join(', ')}: ${reason}`,
  )
  const lines = [...table.map((cells) => `| ${cells.join(' | ')} |`), '', ...reasons]
  return page.replace(/(<!-- matrix -->)[^]*(<!-- \/matrix -->)/, (_, begin, end) =>
    [begin, '', ...lines, '', end].join('\n'),
  )
}
