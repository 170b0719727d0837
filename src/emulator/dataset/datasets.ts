import { CATALOG } from './catalog.ts'
import type { Dataset, Organization } from './dataset.ts'
import { ISSUES } from './issues.ts'
import { largeDataset } from './large.ts'
import { ACCOUNTS, TEAMS, USERS } from './people.ts'

/** The organization of the built-in data sets. */
export const ORGANIZATION: Organization = { id: 'org_tidepool', name: 'Tidepool Support' }

const DEFAULT: Dataset = {
  ...CATALOG,
  organization: ORGANIZATION,
  accounts: ACCOUNTS,
  users: USERS,
  teams: TEAMS,
  issues: ISSUES,
}

const EMPTY: Dataset = {
  organization: ORGANIZATION,
  accounts: [],
  users: [],
  teams: [],
  tags: [],
  userRoles: [],
  knowledgeBases: [],
  ticketForms: [],
  issues: [],
}

/** The names of the built-in data sets. */
export const DATASET_NAMES = ['default', 'large', 'empty'] as const

/** Returns the built-in data set with a name. */
export function findDataset(name: (typeof DATASET_NAMES)[number]): Dataset {
  if (name === 'empty') return EMPTY
  return name === 'large' ? largeDataset(DEFAULT) : DEFAULT
}
