import type { Size } from '../candidates/payloads.ts'
import type { HttpRows } from '../sections/http.ts'
import type { SlowSourceResult } from '../sections/slow-source.ts'
import type { Row } from '../statistics.ts'

/** The results of one run. */
export interface Results {
  readonly rounds: number
  /** The main candidates over HTTP. */
  readonly http: ReadonlyMap<Size, HttpRows>
  /** The main candidates in process. */
  readonly inProcess: ReadonlyMap<Size, readonly Row[]>
  readonly encoding: ReadonlyMap<Size, readonly Row[]>
  /** All servers, with 15 components. */
  readonly servers: HttpRows
  /** All apps in process, with 15 components. */
  readonly apps: readonly Row[]
  readonly workerd: ReadonlyMap<Size, HttpRows>
  readonly firstResponse: readonly Row[]
  readonly slowSource: readonly SlowSourceResult[]
  readonly sizes: readonly (readonly [string, number])[]
}
