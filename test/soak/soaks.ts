import { canariesSoak } from './canaries.ts'
import { hostileRequestsSoak } from './hostile-requests.ts'
import { hostileSocketsSoak } from './hostile-sockets.ts'
import { hostileWorkerdSoak } from './hostile-workerd.ts'
import { inSubprocess } from './in-subprocess.ts'
import { sigtermSoak } from './sigterm.ts'
import { slowHeadersSoak } from './slow-headers.ts'
import type { Soak } from './soak.ts'
import { tenantsSoak } from './tenants.ts'
import { valuesSoak } from './values.ts'

/** Every soak, with its size for `test/soak/run.ts` and for `npm test`. */
export const SOAKS: readonly {
  readonly name: string
  readonly description: string
  readonly count: number
  readonly shortCount: number
  readonly soak: Soak
}[] = [
  {
    name: 'values',
    description: 'generated values through validation, the builders and an app',
    count: 1_000_000,
    shortCount: 2_000,
    soak: valuesSoak,
  },
  {
    name: 'hostile-requests',
    description: 'malformed requests, in process',
    count: 100_000,
    shortCount: 3_000,
    soak: hostileRequestsSoak,
  },
  {
    name: 'hostile-workerd',
    description: 'malformed requests, in workerd',
    count: 100_000,
    shortCount: 2_000,
    soak: hostileWorkerdSoak,
  },
  {
    name: 'hostile-sockets',
    description: 'random bytes on real sockets',
    count: 100_000,
    shortCount: 400,
    soak: hostileSocketsSoak,
  },
  {
    name: 'full-cache',
    description: 'requests through a full cache',
    count: 1_000_000,
    shortCount: 20_000,
    soak: inSubprocess('full-cache-program.ts'),
  },
  {
    name: 'tenants',
    description: 'tenants whose IDs collide under any separator, through one cache',
    count: 100_000,
    shortCount: 5_000,
    soak: tenantsSoak,
  },
  {
    name: 'sigterm',
    description: 'SIGTERM under load',
    count: 50,
    shortCount: 2,
    soak: sigtermSoak,
  },
  {
    name: 'slow-headers',
    description: 'sockets that send their headers one byte at a time',
    count: 500,
    shortCount: 20,
    soak: slowHeadersSoak,
  },
  {
    name: 'canaries',
    description: 'canary secrets everywhere, while everything fails',
    count: 100_000,
    shortCount: 1_000,
    soak: canariesSoak,
  },
  {
    name: 'steady',
    description: 'an hour of load with faults: heap, handles and latency stay flat',
    // In seconds; --scale 0.0834 runs it for five minutes.
    count: 3_600,
    shortCount: 2,
    soak: inSubprocess('steady-program.ts'),
  },
]
