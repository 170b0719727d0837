import type { Size } from '../contenders/sizes.ts'
import type { HttpRows } from '../sections/http.ts'
import type { SlowSource } from '../sections/slow-source.ts'
import type { Row } from '../statistics.ts'

/** All that a run has found. */
export interface Figures {
  readonly inProcess: ReadonlyMap<Size, readonly Row[]>
  readonly http: HttpRows
  readonly httpPairs: ReadonlyMap<Size, HttpRows>
  readonly workerd: HttpRows
  /** With one component. */
  readonly workerdOne: HttpRows
  readonly firstAnswer: readonly Row[]
  readonly slow: readonly SlowSource[]
  readonly sizes: readonly (readonly [string, number])[]
  readonly rounds: number
}
