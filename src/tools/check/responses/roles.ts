import type { Customer } from '../customers.ts'
import type { DataProbe, HandshakeProbe, Probe, ProbeOf, Role } from '../probe.ts'

/**
 * What the responses of a role are evidence for.
 *
 * - `regular`: data fetches that the service itself could have sent; their failures count.
 * - `payload`: every rule about payloads applies.
 * - `timed`: the response time counts.
 * - `identity`: the response belongs to one customer.
 * - `unusual`: the request is unusual, so a stack trace in the response is not content.
 */
export type Trait = 'regular' | 'payload' | 'timed' | 'identity' | 'unusual'

/** Every role, in the order of reports. */
const ROLES = {
  handshake: ['timed'],
  character: [],
  sample: ['regular', 'payload', 'timed', 'identity'],
  known: ['regular', 'payload', 'timed', 'identity'],
  alone: ['regular', 'payload', 'timed', 'identity'],
  fake: ['regular', 'payload', 'timed', 'identity'],
  absentIds: ['regular', 'identity', 'unusual'],
  emptyIds: ['regular', 'identity', 'unusual'],
  similar: [],
  named: [],
  email: ['regular', 'identity', 'unusual'],
  id: ['regular', 'identity', 'unusual'],
  canary: ['regular'],
  repeatedData: ['regular', 'timed'],
  future: [],
  invalid: ['unusual'],
  authHandshake: [],
  authData: [],
  afterAuth: [],
  invalidCanary: [],
  origin: ['unusual'],
  repeatedHandshake: ['timed'],
  reuse: [],
  connected: ['regular', 'payload', 'identity'],
  last: [],
  discarded: [],
  // Last, because what they show may be right.
  otherCase: [],
  sameDomain: [],
} as const satisfies Readonly<Record<Role, readonly Trait[]>>

const ORDER = Object.keys(ROLES)

/** The roles with a trait. */
type RoleWith<T extends Trait> = {
  [R in Role]: T extends (typeof ROLES)[R][number] ? R : never
}[Role]

/** Returns the probes with these roles. */
export function selectRoles<R extends Role>(
  probes: readonly Probe[],
  roles: readonly R[],
): ReadonlyArray<ProbeOf[R]> {
  // The prober adds the fields of its role to each probe, which the compiler cannot see.
  return probes.filter(({ role }) => roles.some((each) => each === role)) as never
}

/** Returns the probes whose role has a trait. */
export function selectTrait<T extends Trait>(
  probes: readonly Probe[],
  trait: T,
): ReadonlyArray<ProbeOf[RoleWith<T>]> {
  return probes.filter((probe) => hasTrait(probe, trait)) as never
}

/** Returns whether the role of a probe has a trait. */
export function hasTrait({ role }: Probe, trait: Trait): boolean {
  return ROLES[role].some((each) => each === trait)
}

/** A request that the service could have sent, as a handshake or a data fetch. */
export type AnyProbe = HandshakeProbe | DataProbe

/** Returns whether a response contains a code or a payload that rules can evaluate. */
export function isRead(probe: AnyProbe): boolean {
  return 'payload' in probe ? probe.payload !== undefined : probe.readable
}

/** Returns the customers of data fetches. */
export function customersOf(probes: readonly DataProbe[]): readonly Customer[] {
  return [...new Map(probes.map(({ customer }) => [customer.name, customer])).values()]
}

/** Sorts probes in the order of reports. Probes of one role keep their order. */
export function sortByRole(probes: readonly Probe[]): readonly Probe[] {
  return probes.toSorted((left, right) => ORDER.indexOf(left.role) - ORDER.indexOf(right.role))
}
