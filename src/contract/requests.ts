import * as z from 'zod'

/**
 * The two requests that the service sends to an endpoint, both `GET`, both with
 * the custom headers that are configured on the app.
 *
 * @see docs/contract.md#requests
 */

/** The schema of a handshake: the endpoint returns the same `code`. */
export const verifyRequestSchema = z.object({
  request_type: z.literal('verify'),
  code: z.string().min(1),
})

/**
 * The schema of a data fetch. The contract does not specify which of the IDs are always present
 * (A4): each is optional, and an empty one counts as absent.
 */
export const fetchDataRequestSchema = z.object({
  request_type: z.literal('fetch_data'),
  app_id: z.string().optional(),
  widget_id: z.string().optional(),
  issue_id: z.string().optional(),
  organization_id: z.string().optional(),
  account_id: z.string().optional(),
  requester_id: z.string().optional(),
  requester_email: z.string().optional(),
})

/** Either request; `request_type` distinguishes them. */
export const requestSchema = z.discriminatedUnion('request_type', [
  verifyRequestSchema,
  fetchDataRequestSchema,
])

/** The parsed query of a handshake. */
export type VerifyRequest = z.infer<typeof verifyRequestSchema>
/** The parsed query of a data fetch. */
export type FetchDataRequest = z.infer<typeof fetchDataRequestSchema>
