import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The programs of Debian's package `postgresql`. */
const DEBIAN = '/usr/lib/postgresql'

/** Returns the folder of `initdb` and `pg_ctl`, or `undefined` if PostgreSQL is not installed. */
export function findPostgres(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort().toReversed() : []
  const folders = versions.map((version) => join(DEBIAN, version, 'bin'))
  return [...folders, '/usr/local/pgsql/bin', '/opt/homebrew/opt/postgresql/bin'].find((folder) =>
    existsSync(join(folder, 'initdb')),
  )
}

/** A PostgreSQL server on this machine. */
export interface Postgres {
  readonly url: string
  /** Stops the server without its help, and starts it again. */
  pause(): void
  resume(): void
  stop(): void
}

/** Creates a cluster in a temporary folder and starts it. */
export function startPostgres(bin: string, port: number): Postgres {
  const data = mkdtempSync(join(tmpdir(), 'sidecard-postgres-'))
  const owner = findClusterOwner()
  if (owner !== undefined) chownSync(data, owner.uid, owner.gid)
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(join(bin, program), args, { ...owner, cwd: data, stdio: 'ignore' })
  run('initdb', '-D', data, '-U', 'sidecard', '-A', 'trust', '-E', 'UTF8', '--no-sync')
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`
  const resume = () =>
    run('pg_ctl', '-D', data, '-w', '-l', join(data, 'log'), '-o', options, 'start')
  const pause = () => run('pg_ctl', '-D', data, '-m', 'immediate', 'stop')
  resume()
  return {
    url: `postgres://sidecard@127.0.0.1:${port}/postgres`,
    pause,
    resume,
    stop() {
      pause()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL does not run as root, so it runs as the user of its package. */
function findClusterOwner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }).trim())
  return { uid: id('-u'), gid: id('-g') }
}
