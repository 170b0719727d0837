import * as z from 'zod'
import { FETCH_DATA_PARAMETERS } from '../../contract/parameters.ts'
import { DATASET_NAMES } from '../dataset/datasets.ts'
import { SCENARIOS } from '../host/scenarios.ts'
import { MAX_EXCHANGES, MAX_ID_LENGTH } from '../protocol-exchanges.ts'

/** The bodies that the control routes accept. An error for an unknown field contains its path. */

const headerValues = z.record(z.string().min(1).max(200), z.string().max(4_096))
const url = z.string().min(1, 'Enter the URL of the endpoint.').max(2_048)

export const appInputSchema = z.strictObject({
  name: z.string(),
  url,
  headers: headerValues.exactOptional(),
  widgets: z.array(z.string()).exactOptional(),
})

export const appUpdateSchema = z.strictObject({
  name: z.string().exactOptional(),
  url: url.exactOptional(),
  headers: z.record(z.string().min(1).max(200), z.string().max(4_096).nullable()).exactOptional(),
  widgets: z.array(z.string()).exactOptional(),
})

const identifier = z.string().regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -')

const customIds = z.strictObject(
  Object.fromEntries(
    FETCH_DATA_PARAMETERS.map((name) => [
      name,
      z.string().max(MAX_ID_LENGTH).nullable().exactOptional(),
    ]),
  ),
)

export const openIssueSchema = z.strictObject({
  scenario: z.enum(SCENARIOS.map(({ id }) => id)).exactOptional(),
  preset: z.string().max(64).exactOptional(),
  params: customIds.exactOptional(),
  group: z
    .strictObject({ id: identifier, kind: z.enum(['open', 'save', 'states', 'parallel']) })
    .exactOptional(),
})

export const pausedSchema = z.strictObject({ paused: z.boolean() })

export const exportSchema = z.strictObject({
  ids: z.array(z.string()).max(MAX_EXCHANGES).exactOptional(),
  anonymize: z.boolean().exactOptional(),
})

export const replaySchema = z.strictObject({ appId: z.string().max(64).exactOptional() })

export const saveSchema = z.strictObject({
  as: z.enum(['fixture', 'test']),
  name: z.string().exactOptional(),
  anonymize: z.boolean().exactOptional(),
})

/** The import validates the HAR document itself. */
export const harSchema = z.unknown()

export const resetSchema = z.strictObject({
  dataset: z.enum([...DATASET_NAMES, 'custom']).exactOptional(),
})
