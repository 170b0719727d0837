import { z } from 'zod'
import { FETCH_DATA_PARAMETERS } from '../../runtime/contract/parameters.ts'
import { SECTION_CONDITIONS } from '../../runtime/internal/section-conditions.ts'
import { isTooShort } from '../internal/shown-text.ts'
import { suggestName } from './problem.ts'

/** Reports an unknown name of an object, with the nearest known one. */
const otherNames = (known: readonly string[]) => ({
  error: (issue: z.core.$ZodRawIssue) =>
    issue.code === 'unrecognized_keys'
      ? `is not known. ${suggestName('names', issue.keys[0] ?? '', known)}`
      : undefined,
})

function object<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, otherNames(Object.keys(shape)))
}

const NAME = /^[^\s-](?:.{0,98}\S)?$/u
const key = z.string().regex(NAME, 'has an invalid name. Use one line of at most 100 characters')
const text = z.string().min(1, 'is empty').max(100, 'has more than 100 characters')

const url = z
  .string()
  .refine((value) => {
    const { protocol, username, password } = URL.parse(value) ?? { protocol: '' }
    return /^https?:$/.test(protocol) && !username && !password && !value.includes('#')
  }, 'must be an http or https URL without a user name or fragment')
  .overwrite((value) => URL.parse(value)?.href ?? value)
  .describe(
    'The URL of the endpoint. Commands only use a URL on another machine if you name the app.',
  )

const headers = z
  .record(
    z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'is not a name that HTTP allows'),
    z.string().regex(/^(?=.*\S)[\t\P{Cc}]+$/u, 'must be text on one line'),
  )
  .refine((value) => {
    const names = Object.keys(value)
    return new Set(names.map((each) => each.toLowerCase())).size === names.length
  }, 'has the same header twice, in different letter case')
  .default({})
  .describe('Headers to send, only to the origin of this URL. env:NAME reads a variable.')

const ids = z
  .partialRecord(
    z.enum(FETCH_DATA_PARAMETERS),
    z.string().min(1, 'is empty'),
    otherNames(FETCH_DATA_PARAMETERS),
  )
  .refine((value) => Object.keys(value).length > 0, 'contains no ID')
  .describe('The IDs that the service sends.')

const customers = z
  .array(z.string())
  .optional()
  .describe('The customers that exist in this environment. By default, all of them.')

const command = z
  .string()
  .regex(/^(?=.*\S)[^"'`$\\|&;<>\p{Cc}]+$/u, 'must be a command without quotes or shell characters')
  .optional()
  .describe(
    'The command that starts the server, without a shell. Only sidecard dev and check run it.',
  )

const appSettings = object({
  url,
  command,
  headers,
  environments: z.record(key, object({ url, headers, customers })).default({}),
})

const shown = text.refine(
  (value) => !isTooShort(value),
  'is too short. Use at least three letters or digits',
)

const customer = object({
  ids,
  shows: z
    .array(shown)
    .max(10, 'has more than 10 texts')
    .default([])
    .describe('Texts that only the sidebar of this customer shows.'),
})

const PAGE_STATES = ['form', 'running', 'done', 'unknown', 'expired', 'forbidden'] as const

/** A state of the page of an action. */
export type PageState = (typeof PAGE_STATES)[number]

const state = object({
  customer: z.string().optional().describe('The name of a customer.'),
  ids: ids.optional(),
  sections: z
    .record(text, z.enum(SECTION_CONDITIONS))
    .default({})
    .describe('The outcome of sections, by title, without calling their data source.'),
  actions: z
    .record(text, z.enum(PAGE_STATES))
    .default({})
    .describe('The state of the pages of actions in All states, by the label of the button.'),
}).refine((value) => value.customer ?? value.ids, 'needs a customer or ids')

/** The schema of `sidecard.json` and `sidecard.local.json`. */
export const projectSchema = object({
  $schema: z.string().optional(),
  template: z.string().optional().describe('The template of the project, with its version.'),
  apps: z.record(key, appSettings).default({}).describe('The apps of the project, by name.'),
  customers: z
    .record(key, customer)
    .refine((value) => Object.keys(value).length <= 20, 'has more than 20 customers')
    .default({})
    .describe('The customers to develop, test and check with, by name.'),
  unknown: object({
    shows: z.array(text).max(10, 'has more than 10 texts').default([]),
  })
    .optional()
    .describe('The texts of which the sidebar of an unknown customer shows one.'),
  states: z
    .record(key, state)
    .default({})
    .describe('Customers with sections that fail, time out or are empty, by name.'),
})

/** The content of one file, with the defaults. */
export type ProjectFile = z.output<typeof projectSchema>

/** Lists the apps of a file, each before its environments. */
export function listTargets({ apps }: ProjectFile) {
  return Object.entries(apps).flatMap(([name, { environments, ...app }]) => [
    { ...app, name, environment: undefined, customers: undefined, path: ['apps', name] },
    ...Object.entries(environments).map(([environment, each]) => {
      const path = ['apps', name, 'environments', environment]
      return { ...each, name, environment, command: undefined, path }
    }),
  ])
}
