import type { Dataset } from './dataset.ts'
import type { Organization } from './records.ts'
import data from './default.json' with { type: 'json' }
import { largeDataset } from './large.ts'

/**
 * Realistic data with unusual names: non-ASCII letters, emoji, quotes,
 * right-to-left text, very long ones. One message tries to run a script.
 */
export const DEFAULT_DATASET: Dataset = data as Dataset

/** The organization of the built-in data sets. */
export const ORGANIZATION: Organization = data.organization[0]!

/** The names of the built-in data sets. */
export const DATASET_NAMES = ['default', 'large', 'empty'] as const

/** Returns the built-in data set with a name. The empty one has only an organization. */
export function findDataset(name: (typeof DATASET_NAMES)[number]): Partial<Dataset> {
  if (name === 'empty') return { organization: [ORGANIZATION] }
  return name === 'large' ? largeDataset(DEFAULT_DATASET) : DEFAULT_DATASET
}
