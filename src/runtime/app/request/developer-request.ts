import type { Context } from 'hono'
import { FAILURE_COLLECTOR } from '../../internal/failure-detail.ts'
import {
  DEV_HEADER,
  DEV_VARIABLE,
  INSTANCE_HEADER,
  PROJECT_HEADER,
  PROJECT_VARIABLE,
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

/**
 * Creates a function that adds the ID of an app, which shows when new code responds, and the name
 * of its project to a response for a developer.
 */
export function createInstance() {
  // A Worker must not create random values before its first request.
  let id: string | undefined
  return (response: Response, c: Context): Response => {
    if (!isDeveloperRequest(c)) return response
    response.headers.set(INSTANCE_HEADER, (id ??= createTraceId()))
    const project = readProperty(c.env, PROJECT_VARIABLE)
    if (typeof project === 'string') response.headers.set(PROJECT_HEADER, project)
    return response
  }
}
