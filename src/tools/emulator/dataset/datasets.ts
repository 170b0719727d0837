import type { Dataset, Organization } from '../store/documents.ts'
import data from './default.json' with { type: 'json' }

/**
 * Realistic data with unusual names: non-ASCII letters, emoji, quotes,
 * right-to-left text, very long ones. One message tries to run a script.
 */
export const DEFAULT_DATASET: Dataset = data as Dataset

/** The organization of the built-in data set. */
export const ORGANIZATION: Organization = data.organization[0]!
