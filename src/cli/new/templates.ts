/** The names of the templates. */
export const TEMPLATE_NAMES = [
  'workers',
  'node',
  'workers-kv',
  'workers-d1',
  'node-postgres',
] as const

export type TemplateName = (typeof TEMPLATE_NAMES)[number]

/** A template for new projects. */
export interface Template {
  readonly name: TemplateName
  readonly summary: string
  /**
   * The folders and files of `templates/` that the project consists of. A file of a
   * later layer replaces the same file of an earlier one.
   */
  readonly layers: readonly string[]
  /** The file with local secrets; git ignores it. */
  readonly secretsFile: '.dev.vars' | '.env'
  /** Where production keeps secrets, for the documents of the project. */
  readonly productionSecrets: string
  /** The minimum Node version. */
  readonly node: string
}

const WORKERS = {
  secretsFile: '.dev.vars',
  productionSecrets: '`wrangler secret put`',
  node: '22.13',
} as const
const NODE = {
  secretsFile: '.env',
  productionSecrets: 'environment variables',
  // Since 22.18, Node runs TypeScript without a flag.
  node: '22.18',
} as const

/** Every template; the first is the default. */
export const TEMPLATES: readonly Template[] = [
  {
    name: 'workers',
    summary: 'Cloudflare Workers',
    layers: ['_base', 'workers'],
    ...WORKERS,
  },
  {
    name: 'node',
    summary: 'a Node server, with a Dockerfile',
    layers: ['_base', 'node'],
    ...NODE,
  },
  {
    name: 'workers-kv',
    summary: 'Workers with a KV cache',
    layers: ['_base', 'workers', 'workers-kv'],
    ...WORKERS,
  },
  {
    name: 'workers-d1',
    summary: 'Workers with a D1 database',
    layers: ['_base', 'workers', 'node/migrations', 'node/seed.sql', 'workers-d1'],
    ...WORKERS,
  },
  {
    name: 'node-postgres',
    summary: 'Node with PostgreSQL',
    layers: ['_base', 'node', 'node-postgres'],
    ...NODE,
  },
]

/** The recipes that every new project already contains, in use. */
export const INCLUDED_RECIPES: readonly string[] = ['follow-up-task']

/** A file of a new project. */
export interface ProjectFile {
  /** Relative, with forward slashes. */
  readonly path: string
  readonly content: string
  /** Permissions, as in `chmod`. @default the system's default for new files */
  readonly mode?: number
}
