import { readFileSync } from 'node:fs'

/** A documented way to run an app. */
interface Host {
  /** The heading of its block, in a guide. */
  readonly section: readonly [guide: 'with-your-stack' | 'deploy', title: string]
  /** The path at which the block mounts the app. */
  readonly path: string
  /** The package whose version the page shows. */
  readonly package: string
  /** A platform that cannot run here. A server of the test calls its function as the platform does. */
  readonly isFunction?: true
  /** The edit of the block that adds a parser of the host. */
  readonly parser?: readonly [from: string, to: string]
}

const MOUNTED = '/widgets/billing'

/** The hosts, in the order of the page. */
export const HOSTS = {
  'serve()': { section: ['deploy', 'Node'], path: '', package: 'node' },
  'node:http': { section: ['with-your-stack', 'node:http'], path: '', package: 'node' },
  'HTTP/2': { section: ['with-your-stack', 'HTTP/2'], path: '', package: 'node' },
  Express: {
    section: ['with-your-stack', 'Express'],
    path: MOUNTED,
    package: 'express',
    parser: ['express()', 'express().use(express.urlencoded())'],
  },
  Fastify: {
    section: ['with-your-stack', 'Fastify'],
    path: MOUNTED,
    package: 'fastify',
    parser: [
      '(_request, _body, done) => done(null)',
      "{ parseAs: 'string' }, (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body))))",
    ],
  },
  Bun: { section: ['with-your-stack', 'Bun'], path: '', package: 'bun' },
  Deno: { section: ['with-your-stack', 'Deno'], path: '', package: 'deno' },
  Workers: {
    section: ['with-your-stack', 'Cloudflare Workers'],
    path: '',
    package: 'wrangler',
  },
  'Workers with assets': {
    section: ['with-your-stack', 'Workers with static assets'],
    path: MOUNTED,
    package: 'wrangler',
  },
  Vercel: {
    section: ['with-your-stack', 'Vercel'],
    path: '/api/billing',
    package: '@vercel/functions',
    isFunction: true,
  },
  Netlify: {
    section: ['with-your-stack', 'Netlify'],
    path: MOUNTED,
    package: 'hono',
    isFunction: true,
  },
  'AWS Lambda': {
    section: ['with-your-stack', 'AWS Lambda'],
    path: '',
    package: 'hono',
    isFunction: true,
  },
} as const satisfies Record<string, Host>

export type HostName = keyof typeof HOSTS

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

export const hostOf = (name: HostName): Host => HOSTS[name]
const NAMES = Object.keys(HOSTS) as HostName[]

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
    hosts: ['Workers', 'Workers with assets', 'Vercel', 'Netlify', 'AWS Lambda'],
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
    const { package: name, isFunction } = hostOf(host)
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
