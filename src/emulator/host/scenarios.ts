import type { FetchDataIds } from '../../desk/query.ts'
import type { ScenarioView } from '../protocol.ts'

/** Who calls the app, and how. */
export type ScenarioId =
  | 'as-is'
  | 'unknown-customer'
  | 'no-account'
  | 'no-ids'
  | 'odd-email'
  | 'odd-ids'
  | 'slow-reader'
  | 'parallel-loads'

/** A scenario: how it changes the ids of the issue, and how the answer is fetched. */
export interface Scenario extends ScenarioView {
  readonly ids: (ids: FetchDataIds) => FetchDataIds
  /** Fetches at the same moment; the first is shown. @default 1 */
  readonly loads?: number
  /** Wait between the chunks of the answer's body. @default 0 */
  readonly readDelayMs?: number
}

const same = (ids: FetchDataIds) => ids

/** Every scenario, in the order of the menu. */
export const SCENARIOS: readonly Scenario[] = [
  {
    id: 'as-is',
    name: 'The issue as it is',
    description: 'The eight parameters of the contract, from the issue.',
    ids: same,
  },
  {
    id: 'unknown-customer',
    name: 'Unknown customer',
    description: 'Ids and an e-mail address that your system has never seen.',
    ids: (ids) => ({
      ...ids,
      account_id: 'acc_nobody_knows',
      requester_id: 'usr_nobody_knows',
      requester_email: 'nobody.knows@example.invalid',
    }),
  },
  {
    id: 'no-account',
    name: 'No account',
    description: 'The issue belongs to no account: account_id is empty.',
    ids: (ids) => ({ ...ids, account_id: '' }),
  },
  {
    id: 'no-ids',
    name: 'No ids at all',
    description: 'Only request_type is sent (A4: nothing says which ids are always there).',
    ids: () => ({}),
  },
  {
    id: 'odd-email',
    name: 'Odd e-mail address',
    description: 'A valid address with a plus sign, quotes, a space and letters outside ASCII.',
    ids: (ids) => ({ ...ids, requester_email: '"Zoë & co"+sidebar@bücher.example' }),
  },
  {
    id: 'odd-ids',
    name: 'Odd ids',
    description: 'Ids with the characters that break hand-made queries and SQL.',
    ids: (ids) => ({ ...ids, account_id: `acc'; --&=+%20/../é鯉`, requester_id: 'usr "><b>%00' }),
  },
  {
    id: 'slow-reader',
    name: 'Slow reader',
    description: 'The service takes the answer in small pieces, with pauses between them.',
    ids: same,
    readDelayMs: 150,
  },
  {
    id: 'parallel-loads',
    name: 'Parallel loads',
    description: 'Twenty agents open the issue at the same moment; the slowest answer is shown.',
    ids: same,
    loads: 20,
  },
]

/** The scenario of an id. */
export function findScenario(id: string): Scenario | undefined {
  return SCENARIOS.find((scenario) => scenario.id === id)
}
