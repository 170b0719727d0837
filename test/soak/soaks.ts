import { canariesSoak } from './canaries.ts'
import { hostileRequestsSoak } from './hostile-requests.ts'
import { hostileSocketsSoak } from './hostile-sockets.ts'
import { hostileWorkerdSoak } from './hostile-workerd.ts'
import { inProcessOfItsOwn } from './own-process.ts'
import { sigtermSoak } from './sigterm.ts'
import { slowHeadersSoak } from './slow-headers.ts'
import type { Soak } from './soak.ts'
import { tenantsSoak } from './tenants.ts'
import { valuesSoak } from './values.ts'

/** Every soak: how often it tries at full size, and how often in `npm test`. */
export const SOAKS: readonly {
  readonly name: string
  readonly says: string
  readonly count: number
  readonly shortCount: number
  readonly soak: Soak
}[] = [
  {
    name: 'values',
    says: 'generated values through validation, the builders and an app',
    count: 1_000_000,
    shortCount: 2_000,
    soak: valuesSoak,
  },
  {
    name: 'hostile-requests',
    says: 'requests as nobody would send them, in process',
    count: 100_000,
    shortCount: 3_000,
    soak: hostileRequestsSoak,
  },
  {
    name: 'hostile-workerd',
    says: 'the same, in workerd',
    count: 100_000,
    shortCount: 2_000,
    soak: hostileWorkerdSoak,
  },
  {
    name: 'hostile-sockets',
    says: 'whatever bytes on real sockets',
    count: 100_000,
    shortCount: 400,
    soak: hostileSocketsSoak,
  },
  {
    name: 'full-cache',
    says: 'requests through a cache that is full',
    count: 1_000_000,
    shortCount: 20_000,
    soak: inProcessOfItsOwn('full-cache-program.ts'),
  },
  {
    name: 'tenants',
    says: 'tenants whose ids collide under any separator, through one cache',
    count: 100_000,
    shortCount: 5_000,
    soak: tenantsSoak,
  },
  {
    name: 'sigterm',
    says: 'SIGTERM in the middle of load',
    count: 50,
    shortCount: 2,
    soak: sigtermSoak,
  },
  {
    name: 'slow-headers',
    says: 'sockets that send their headers a byte at a time',
    count: 500,
    shortCount: 20,
    soak: slowHeadersSoak,
  },
  {
    name: 'canaries',
    says: 'secrets planted everywhere, while everything fails',
    count: 100_000,
    shortCount: 1_000,
    soak: canariesSoak,
  },
]
