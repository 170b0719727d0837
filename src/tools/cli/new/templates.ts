/** The data sources of new projects. */
export const DATA_SOURCES = [
  { name: 'http', summary: 'an HTTP API' },
  { name: 'postgres', summary: 'a PostgreSQL database' },
  { name: 'sqlite', summary: 'a SQLite file' },
  { name: 'd1', summary: 'a D1 database' },
  { name: 'sample', summary: 'none yet: sample customers during development' },
] as const

export type DataSource = (typeof DATA_SOURCES)[number]
export type DataName = DataSource['name']
export type HostName = 'workers' | 'node'

/** A host: the platform on which a new project runs. */
export interface Host {
  readonly name: HostName
  readonly summary: string
  readonly secretsFile: string
  /** The first version of Node that its scripts support. */
  readonly node: string
  /** The data sources that fit it. */
  readonly data: readonly DataName[]
}

export const WORKERS: Host = {
  name: 'workers',
  summary: 'Cloudflare Workers',
  secretsFile: '.dev.vars',
  node: '22.13',
  data: ['http', 'd1', 'sample'],
}

export const NODE: Host = {
  name: 'node',
  summary: 'a Node server, with a Dockerfile',
  secretsFile: '.env',
  // Since 22.18, Node runs TypeScript without a flag.
  node: '22.18',
  data: ['http', 'postgres', 'sqlite', 'sample'],
}

/** The hosts of new projects. The first is the default. */
export const HOSTS: readonly Host[] = [WORKERS, NODE]

export type TemplateName = HostName | `${HostName}-${Exclude<DataName, 'http'>}`

/** A host and a data source of a new project. */
export interface Template {
  /** The host, and the data source except http: `node`, `node-postgres`. */
  readonly name: TemplateName
  readonly host: Host
  readonly data: DataSource
  /**
   * The folders of `templates/` that the project consists of. A file of a later
   * layer replaces the same file of an earlier one.
   */
  readonly layers: readonly string[]
}

/** Data sources whose tables and customers are SQL files. */
const SQL: readonly DataName[] = ['postgres', 'sqlite', 'd1']

/** Every host with every data source that fits it; the first is the default. */
export const TEMPLATES: readonly Template[] = HOSTS.flatMap((host) =>
  DATA_SOURCES.filter(({ name }) => host.data.includes(name)).map((data) => ({
    name: data.name === 'http' ? host.name : (`${host.name}-${data.name}` as const),
    host,
    data,
    layers: [
      '_base',
      host.name,
      ...(SQL.includes(data.name) ? ['sql'] : []),
      data.name,
      ...(HOSTS.every((each) => each.data.includes(data.name))
        ? [`${data.name}-${host.name}`]
        : []),
    ],
  })),
)

/** A file of a new project. */
export interface ProjectFile {
  /** The relative path, with forward slashes. */
  readonly path: string
  readonly content: string
  /** Permissions, as in `chmod`. @default the system's default for new files */
  readonly mode?: number
}
