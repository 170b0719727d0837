import type { CheckProfile } from '../../check/options.ts'
import type { CustomerFlags } from './endpoint-options.ts'

/** The options of `sidecard check`. */
export interface CheckFlags extends CustomerFlags {
  readonly env?: string
  readonly samples: number
  readonly reads: number
  readonly repeat: number
  readonly maxP95?: number
  readonly maxWait: number
  readonly profile: CheckProfile
  readonly expectAuth?: boolean
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  readonly strict?: boolean
  readonly allowUnproven?: boolean
  readonly baseline?: string
  readonly reporter?: readonly string[]
  readonly json?: boolean
  readonly output?: string
  readonly details?: boolean
  readonly show?: boolean
  readonly list?: boolean
  readonly explain?: string
}
