import * as z from 'zod'
import { closestMatch } from '../../../runtime/internal/closest-match.ts'
import { SidecardError } from '../../../runtime/internal/errors.ts'
import { escapeHtml } from '../../../runtime/render/escape-html.ts'
import type { Account, Dataset } from '../store/documents.ts'
import { DEFAULT_DATASET, ORGANIZATION } from './datasets.ts'
import { newIssue, newUser, REQUESTER } from './new-issue.ts'

const text = (max: number) => z.string().min(1, 'is empty').max(max)
const idText = text(200)

const customerSchema = z.strictObject({
  /** The name of the customer. It must be unique, because issues refer to it. */
  name: text(200),
  /** @default 'usr_1' for the first customer, and so on */
  requester_id: idText.exactOptional(),
  /** @default '' */
  requester_email: z.string().max(320).exactOptional(),
  /** The account ID, unless the person has no account. */
  account_id: idText.exactOptional(),
  /** @default the account ID */
  account_name: text(200).exactOptional(),
})

const issueSchema = z.strictObject({
  title: text(500),
  /** The `name` of a customer. */
  customer: z.string(),
  /** @default 'iss_1' for the first issue, and so on */
  id: idText.exactOptional(),
  /** @default 'open' */
  state: z.enum(['new', 'open', 'waiting', 'closed']).exactOptional(),
  /** The text of the message, without HTML. @default the title */
  message: z.string().max(20_000).exactOptional(),
})

const datasetSchema = z.strictObject({
  /** @default a made-up organization */
  organization: z.strictObject({ id: idText, name: text(200) }).exactOptional(),
  /** At least one person who writes to support. */
  customers: z.array(customerSchema).min(1, 'has no customer').max(1_000).readonly(),
  /** @default one issue for each customer */
  issues: z.array(issueSchema).max(5_000).readonly().exactOptional(),
})

/** Your own customers and issues, as a JSON file for `sidecard dev --dataset`. */
export type DatasetInput = z.input<typeof datasetSchema>

/** The first issue is the newest. */
const NEWEST = Date.parse('2026-11-20T15:00:00Z')

/**
 * Validates the user's own data set.
 *
 * @throws {SidecardError} `invalid_dataset`, with the path of the first mistake
 */
export function parseDataset(value: unknown): Dataset {
  const parsed = datasetSchema.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw invalid(z.core.toDotPath(issue?.path ?? []), issue?.message ?? 'is invalid')
  }
  const { organization = ORGANIZATION } = parsed.data
  const customers = parsed.data.customers.map((customer, index) => {
    const { requester_id: id = `usr_${index + 1}`, requester_email: email = '', name } = customer
    return { ...customer, requester: { id, name, email } }
  })
  const names = customers.map(({ name }) => name)
  assertUnique('customers', 'name', names)
  const requesterIds = customers.map(({ requester }) => requester.id)
  assertUnique('customers', 'requester_id', requesterIds)
  const outlines =
    parsed.data.issues ?? names.map((name) => ({ title: `Question from ${name}`, customer: name }))
  const issues = outlines.map((outline, index) => ({
    id: `iss_${index + 1}`,
    state: 'open' as const,
    message: outline.title,
    ...outline,
  }))
  const issueIds = issues.map(({ id }) => id)
  assertUnique('issues', 'id', issueIds)
  const accounts = new Map<string, Account>()
  for (const { account_id: id, account_name: name } of customers) {
    if (id !== undefined) accounts.set(id, { id, name: name ?? id })
  }
  return {
    ...DEFAULT_DATASET,
    organization: [organization],
    account: [...accounts.values()],
    user: [
      ...DEFAULT_DATASET.user.filter(({ role_id }) => role_id !== REQUESTER),
      ...customers.map(({ requester }) => newUser(requester)),
    ],
    team: [],
    issue: issues.map(({ id, title, customer, state, message }, index) => {
      const found = customers.find(({ name }) => name === customer)
      if (found === undefined) {
        const suggestion = closestMatch(customer, names)
        const hint = suggestion === undefined ? '' : ` Did you mean ${JSON.stringify(suggestion)}?`
        throw invalid(`issues[${index}].customer`, 'is not the name of a customer', hint)
      }
      const created_at = new Date(NEWEST - index * 60_000).toISOString()
      const { account_id = null } = found
      const fields = { id, number: issues.length - index, title, state, account_id, created_at }
      const html = `<p>${escapeHtml(message).replaceAll('\n', '<br>')}</p>`
      return newIssue(fields, found.requester, html, index + 1)
    }),
  }
}

function assertUnique(list: string, key: string, values: readonly string[]): void {
  const seen = new Set<string>()
  for (const [index, value] of values.entries()) {
    if (seen.has(value)) throw invalid(`${list}[${index}].${key}`, 'occurs twice')
    seen.add(value)
  }
}

function invalid(path: string, message: string, hint = ''): SidecardError {
  const place = path === '' ? 'The data set' : `The data set: ${path}`
  // Messages of zod start with a capital letter, and do not continue the sentence.
  const separator = /^[A-Z]/.test(message) ? ':' : ''
  const sentence = `${place}${separator} ${message}.${hint} See docs/emulator.md#data-sets.`
  return new SidecardError('invalid_dataset', sentence)
}
