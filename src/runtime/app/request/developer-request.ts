import type { Context } from 'hono'
import { FAILURE_COLLECTOR } from '../../internal/failure-detail.ts'
import {
  DEV_HEADER,
  DEV_VARIABLE,
  INSTANCE_HEADER,
  SECTIONS_HEADER,
} from '../../internal/headers.ts'
import { readProperty } from '../../internal/hostile-values.ts'
import { createTraceId } from '../../internal/trace-id.ts'

/**
 * Returns whether a request may see details for developers: the app's variable and
 * the request's header must be set.
 */
export function isDeveloperRequest(c: Context): boolean {
  return readProperty(c.env, DEV_VARIABLE) === '1' && c.req.raw.headers.get(DEV_HEADER) === '1'
}

/** Returns the unparsed section conditions of a developer, or of an in-process test. */
export function readConditionsHeader(c: Context): string | undefined {
  const isTest = readProperty(c.env, FAILURE_COLLECTOR) !== undefined
  if (!isTest && !isDeveloperRequest(c)) return undefined
  return c.req.raw.headers.get(SECTIONS_HEADER) ?? undefined
}

/** The IDs of apps. A Worker must not create random values before its first request. */
const instances = new WeakMap<object, string>()

/** Adds the ID of the app to a response for a developer, which shows when new code responds. */
export function nameInstance(response: Response, c: Context, app: object): Response {
  if (!isDeveloperRequest(c)) return response
  let id = instances.get(app)
  if (id === undefined) instances.set(app, (id = createTraceId()))
  response.headers.set(INSTANCE_HEADER, id)
  return response
}
