import * as z from 'zod'

/**
 * The two requests that the service sends to an endpoint, both `GET`, both with
 * the custom headers that were configured on the app.
 *
 * @see docs/contract.md#requests
 */

/** The handshake: answer with the same `code`. */
export const verifyRequestSchema = z.object({
  request_type: z.literal('verify'),
  code: z.string().min(1),
})

/**
 * A data fetch. Which of the ids are always present is not shown (A4): each is
 * optional, and an empty one is the same as an absent one.
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

/** Either request, told apart by `request_type`. */
export const requestSchema = z.discriminatedUnion('request_type', [
  verifyRequestSchema,
  fetchDataRequestSchema,
])

/** The query of a handshake, read. */
export type VerifyRequest = z.infer<typeof verifyRequestSchema>
/** The query of a data fetch, read: an id that is absent or empty is `undefined`. */
export type FetchDataRequest = z.infer<typeof fetchDataRequestSchema>
