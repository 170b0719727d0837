import type { Dataset, Organization } from '../store/documents.ts'
import data from './default.json' with { type: 'json' }
import { newIssue, newUser, REQUESTER } from './new-issue.ts'

/**
 * Realistic data with unusual names: non-ASCII letters, emoji, quotes,
 * right-to-left text, very long ones. One message tries to run a script.
 */
export const DEFAULT_DATASET: Dataset = data as Dataset

/** The organization of the built-in data sets. */
export const ORGANIZATION: Organization = data.organization[0]!

/** The names of the built-in data sets. */
export const DATASET_NAMES = ['default', 'large', 'empty'] as const

/** Creates the built-in data sets. The empty one has only an organization. */
export const BUILT_IN: Record<(typeof DATASET_NAMES)[number], () => Partial<Dataset>> = {
  default: () => DEFAULT_DATASET,
  large: largeDataset,
  empty: () => ({ organization: [ORGANIZATION] }),
}

const USERS = 1_234
const TAGS = 260
const TEAMS = 101
const ISSUES = 400

function extend<Item>(list: readonly Item[], size: number, make: (index: number) => Item) {
  const added = Array.from({ length: size - list.length }, (_, index) => make(index + 1))
  return [...list, ...added]
}

/** Returns a data set whose lists have many pages. */
function largeDataset(): Dataset {
  const base = DEFAULT_DATASET
  // The first requester writes all of the other issues.
  const { id, name = '', email = '' } = base.user.find((user) => user.role_id === REQUESTER)!
  const requester = { id: id ?? '', name, email }
  return {
    ...base,
    user: extend(base.user, USERS, (index) =>
      newUser({
        id: `usr_large_${index}`,
        name: `Person ${index}`,
        email: `person.${index}@large.example`,
      }),
    ),
    tag: extend(base.tag, TAGS, (index) => ({
      id: `tag_large_${index}`,
      value: `tag ${index}`,
      hex_color: `#${((index * 2_654_435) % 0xffffff).toString(16).padStart(6, '0')}`,
      object_type: 'issue',
    })),
    team: extend(base.team, TEAMS, (index) => ({
      id: `team_large_${index}`,
      name: `Team ${index}`,
      users: [],
    })),
    issue: extend(base.issue, ISSUES, (index) => {
      const number = 1_000 - index
      const fields = {
        id: `iss_${number}`,
        number,
        title: `Question ${index} of the large data set`,
        state: 'closed',
        account_id: base.account[index % base.account.length]?.id ?? null,
        created_at: '2026-10-01T09:00:00Z',
      } as const
      return newIssue(fields, requester, `<p>Question ${index}?</p>`)
    }),
  }
}
