import type { CustomerView } from '../protocol/exchanges.ts'
import type { Dataset } from '../store/documents.ts'
import { parseDataset } from './parse-dataset.ts'

/** Messages of customers, so that the first screen looks like a support desk. */
const MESSAGES = [
  [
    'Cannot add a user',
    'We tried to add two colleagues, and the page says that we have no seats left.',
  ],
  ['Question about the last invoice', 'The amount is higher than last month. What changed?'],
  ['Export stops after a minute', 'The export starts, and then the page shows an error.'],
  ['Webhooks arrive late', 'Since this morning, our webhooks arrive with a delay of ten minutes.'],
  ['How do we change our plan?', 'We would like to move to the yearly plan. Where can we do that?'],
] as const

/** Returns a data set with one issue for each customer of the project. The first is the newest. */
export function projectDataset(customers: readonly CustomerView[]): Dataset {
  const dataset = parseDataset({
    customers: customers.map(({ name, ids }, index) => ({
      name,
      requester_id: `usr_${index + 1}`,
      ...(ids.requester_email !== undefined && { requester_email: ids.requester_email }),
      account_id: ids.account_id ?? `acc_${index + 1}`,
      account_name: name,
    })),
    issues: customers.map(({ name }, index) => {
      const [title, message] = MESSAGES[index % MESSAGES.length]!
      return { title, message, customer: name }
    }),
  })
  const issue = dataset.issue.map((each, index) => ({ ...each, customer: customers[index]!.name }))
  return { ...dataset, issue }
}
