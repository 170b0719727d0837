import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seedDatabase } from '../../examples/billing/src/sources/database.ts'
import {
  type ErrorService,
  startErrorService,
} from '../../examples/billing/src/sources/error-service.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { findFreePort } from '../helpers/free-port.ts'
import { haproxyConfig } from './haproxy-config.ts'
import { type ServerProcess, startProcess } from './processes.ts'
import type { Programs } from './programs.ts'

export const SECRET = 'scale-test'

/** Three processes of the billing example behind HAProxy, over one Redis and one PostgreSQL. */
export interface Cluster extends AsyncDisposable {
  /** The port of the load balancer. */
  readonly port: number
  readonly apps: ServerProcess[]
  readonly errorService: ErrorService
  /** Starts the process at an index again, on its port. */
  restartApp(index: number): Promise<void>
  stopRedis(): Promise<void>
  startRedis(): Promise<void>
}

export async function startCluster(programs: Programs): Promise<Cluster> {
  await using cleanUp = new AsyncDisposableStack()
  const postgres = startPostgres(programs.postgres, await findFreePort())
  cleanUp.defer(() => postgres.stop())
  await seedDatabase(postgres.url)
  const errorService = await startErrorService({ delayMs: 400 })
  cleanUp.defer(() => errorService.close())

  const redisPort = await findFreePort()
  const startRedis = () =>
    startProcess(
      programs.redis,
      ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', ''],
      redisPort,
    )
  let redis = await startRedis()
  cleanUp.defer(async () => void (await redis.end('SIGKILL')))

  const startApp = (port: number) =>
    startProcess(
      process.execPath,
      ['--import', './test/helpers/use-source.ts', 'examples/billing/src/server.ts'],
      port,
      {
        PORT: String(port),
        SIDECARD_SECRET: SECRET,
        DATABASE_URL: postgres.url,
        ERRORS_URL: errorService.url,
        REDIS_URL: `redis://127.0.0.1:${redisPort}`,
      },
    )
  const ports = [await findFreePort(), await findFreePort(), await findFreePort()]
  const apps = await Promise.all(ports.map(startApp))
  cleanUp.defer(async () => void (await Promise.all(apps.map((app) => app.end('SIGKILL')))))

  const folder = mkdtempSync(join(tmpdir(), 'sidecard-scale-'))
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }))
  const port = await findFreePort()
  const config = join(folder, 'haproxy.cfg')
  writeFileSync(config, haproxyConfig(port, ports))
  const haproxy = await startProcess(programs.haproxy, ['-db', '-q', '-f', config], port)
  cleanUp.defer(async () => void (await haproxy.end('SIGKILL')))

  const started = cleanUp.move()
  return {
    port,
    apps,
    errorService,
    restartApp: async (index) => void (apps[index] = await startApp(ports[index] ?? 0)),
    stopRedis: async () => void (await redis.end('SIGKILL')),
    startRedis: async () => void (redis = await startRedis()),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}
