import type { FetchDataIds } from '../../service/query.ts'

interface Situation {
  readonly name: string
  /** One sentence. */
  readonly description: string
  /** @default the IDs of the issue */
  readonly ids?: (ids: FetchDataIds) => FetchDataIds
  /** The number of concurrent data fetches. The worst response is shown. @default 1 */
  readonly loads?: number
  /** The pause between the parts of the response body, in milliseconds. @default 0 */
  readonly readDelayMs?: number
}

const SITUATIONS = {
  'as-is': {
    name: 'Issue as is',
    description: 'Sends the eight parameters of the contract, from the issue.',
  },
  'unknown-customer': {
    name: 'Unknown customer',
    description: 'Sends IDs and an email address that your system does not know.',
    ids: (ids) => ({
      ...ids,
      account_id: 'acc_unknown',
      requester_id: 'usr_unknown',
      requester_email: 'unknown.customer@example.invalid',
    }),
  },
  'no-account': {
    name: 'No account',
    description: 'Sends an empty account_id: the issue belongs to no account.',
    ids: (ids) => ({ ...ids, account_id: '' }),
  },
  'no-ids': {
    name: 'No IDs',
    description:
      'Sends only request_type: the contract does not say which IDs are always sent (A4).',
    ids: () => ({}),
  },
  'odd-email': {
    name: 'Unusual email address',
    description: 'Sends a valid address with a plus sign, quotes, a space and non-ASCII letters.',
    ids: (ids) => ({ ...ids, requester_email: '"Zoë & co"+sidebar@bücher.example' }),
  },
  'odd-ids': {
    name: 'Unusual IDs',
    description: 'Sends IDs with characters that break hand-written queries and SQL.',
    ids: (ids) => ({ ...ids, account_id: `acc'; --&=+%20/../é鯉`, requester_id: 'usr "><b>%00' }),
  },
  'slow-reader': {
    name: 'Slow reader',
    description: 'Reads the response in small parts, with pauses between them.',
    readDelayMs: 150,
  },
  'parallel-loads': {
    name: 'Parallel loads',
    description: 'Twenty agents open the issue at the same moment. The worst response is shown.',
    loads: 20,
  },
} satisfies Readonly<Record<string, Situation>>

/** The ID of a scenario: a situation in which an issue is opened. */
export type ScenarioId = keyof typeof SITUATIONS

/** A scenario, which changes the IDs of the issue or the way the response is fetched. */
export interface Scenario extends Situation {
  readonly id: ScenarioId
}

/** Every scenario, in the order of the menu. */
export const SCENARIOS: readonly Scenario[] = Object.entries(SITUATIONS).map(([id, situation]) => ({
  id: id as ScenarioId,
  ...situation,
}))

/** Returns the scenario with an ID. */
export function findScenario(id: string | null): Scenario | undefined {
  return SCENARIOS.find((scenario) => scenario.id === id)
}
