import type { Dataset, Organization } from './dataset.ts'
import data from './default.json' with { type: 'json' }
import { largeDataset } from './large.ts'

/**
 * Realistic data with unusual names: non-ASCII letters, emoji, quotes,
 * right-to-left text, very long ones. One message tries to run a script.
 */
const DEFAULT = data as Dataset

/** The organization of the built-in data sets. */
export const ORGANIZATION: Organization = DEFAULT.organization

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
