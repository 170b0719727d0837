/** The hosts of new projects. The first is the default. */
export const HOSTS = [
  {
    name: 'workers',
    summary: 'Cloudflare Workers',
    secretsFile: '.dev.vars',
    node: '22.13',
    data: ['http', 'd1', 'sample'],
  },
  {
    name: 'node',
    summary: 'a Node server, with a Dockerfile',
    secretsFile: '.env',
    // Since 22.18, Node runs TypeScript without a flag.
    node: '22.18',
    data: ['http', 'postgres', 'sqlite', 'sample'],
  },
] as const

/** The data sources of new projects. */
export const DATA_SOURCES = [
  { name: 'http', summary: 'an HTTP API' },
  { name: 'postgres', summary: 'a PostgreSQL database' },
  { name: 'sqlite', summary: 'a SQLite file' },
  { name: 'd1', summary: 'a D1 database' },
  { name: 'sample', summary: 'none yet: sample customers during development' },
] as const

export type Host = (typeof HOSTS)[number]
export type HostName = Host['name']
export type DataSource = (typeof DATA_SOURCES)[number]
export type DataName = DataSource['name']
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
  DATA_SOURCES.filter(({ name }) => listDataNames(host).includes(name)).map((data) => ({
    name: data.name === 'http' ? host.name : (`${host.name}-${data.name}` as const),
    host,
    data,
    layers: [
      '_base',
      host.name,
      ...(SQL.includes(data.name) ? ['sql'] : []),
      data.name,
      ...(listHosts(data.name).length > 1 ? [`${data.name}-${host.name}`] : []),
    ],
  })),
)

/** Returns the data sources that fit a host. */
export function listDataNames({ data }: Host): readonly DataName[] {
  return data
}

function listHosts(data: DataName): readonly Host[] {
  return HOSTS.filter((host) => listDataNames(host).includes(data))
}

/** A file of a new project. */
export interface ProjectFile {
  /** Relative, with forward slashes. */
  readonly path: string
  readonly content: string
  /** Permissions, as in `chmod`. @default the system's default for new files */
  readonly mode?: number
}
