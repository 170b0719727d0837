import type { Dataset, Organization } from '../store/documents.ts'
import data from './default.json' with { type: 'json' }
import { largeDataset } from './large.ts'

/**
 * Realistic data with unusual names: non-ASCII letters, emoji, quotes,
 * right-to-left text, very long ones. One message tries to run a script.
 */
export const DEFAULT_DATASET: Dataset = data as Dataset

/** The organization of the built-in data sets. */
export const ORGANIZATION: Organization = data.organization[0]!

/** Creates the built-in data sets. The empty one has only an organization. */
export const BUILT_IN = {
  default: () => DEFAULT_DATASET,
  large: () => largeDataset(DEFAULT_DATASET),
  empty: () => ({ organization: [ORGANIZATION] }),
}

/** The names of the built-in data sets. */
export const DATASET_NAMES = ['default', 'large', 'empty'] as const satisfies ReadonlyArray<
  keyof typeof BUILT_IN
>
