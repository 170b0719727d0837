import type { SeedName } from '../protocol.ts'
import { CATALOG } from './catalog.ts'
import { ISSUES } from './issues.ts'
import { largeSeed } from './large.ts'
import { ACCOUNTS, TEAMS, USERS } from './people.ts'
import type { Seed } from './seed.ts'

/** The organization that all issues belong to. */
export const ORGANIZATION = { id: 'org_tidepool', name: 'Tidepool Support' } as const

const DEFAULT: Seed = {
  ...CATALOG,
  accounts: ACCOUNTS,
  users: USERS,
  teams: TEAMS,
  issues: ISSUES,
}

const EMPTY: Seed = {
  accounts: [],
  users: [],
  teams: [],
  tags: [],
  userRoles: [],
  knowledgeBases: [],
  ticketForms: [],
  issues: [],
}

/** The names of the seeds. */
export const SEED_NAMES: readonly SeedName[] = ['default', 'large', 'empty']

/** The seed of a name. */
export function seedOf(name: SeedName): Seed {
  if (name === 'empty') return EMPTY
  return name === 'large' ? largeSeed(DEFAULT) : DEFAULT
}
