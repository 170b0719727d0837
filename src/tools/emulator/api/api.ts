import { Hono } from 'hono'
import {
  type Operation,
  type OperationId,
  OPERATIONS,
} from '../../../runtime/contract/operations.ts'
import { constantTimeEqual } from '../../../runtime/internal/constant-time-equal.ts'
import type { EmulatorContext } from '../core/context.ts'
import {
  applyEffect,
  ConnectionReset,
  corruptEnvelope,
  TruncatedResponse,
} from '../faults/effects.ts'
import type { FaultEngine } from '../faults/engine.ts'
import { FAULT_HEADER, parseRequestFault } from '../faults/request-fault.ts'
import { type FaultEffect, worksOn } from '../faults/rules.ts'
import { ApiError, type ApiErrorDetails } from './api-error.ts'
import { encodeCursor } from './cursor.ts'
import { findDeviations } from './deviations.ts'
import { executeOperation } from './handlers.ts'
import type { ApiRequest, RequestLog } from './request-log.ts'

/** The response header that reports undocumented use of the API, as `code` or `code=parameter`. At most 20 items. */
export const DEVIATION_HEADER = 'x-sidecard-deviation'

interface ApiVariables {
  /** The data that the operation adds to the request log. */
  Variables: { entry: Pick<Writable<ApiRequest>, 'id' | 'operation' | 'deviations'> }
}

type Writable<Entry> = { -readonly [Name in keyof Entry]: Entry[Name] }

/**
 * Creates the service's eight operations on a store. Every response, including
 * errors, is JSON with a `request_id`.
 *
 * @throws {ConnectionReset} from `fetch` if a fault closes the connection before the response, {TruncatedResponse} if it truncates the response
 * @see docs/emulator.md#the-api
 */
export function createApi(context: EmulatorContext, log: RequestLog): Hono<ApiVariables> {
  const { accessToken, strict, faults, newId, now } = context
  const api = new Hono<ApiVariables>()
  api.use(async (c, next) => {
    const entry = { id: newId('req'), operation: null, deviations: [] }
    c.set('entry', entry)
    let status: number | null = null
    try {
      await next()
      status = c.res.status
    } finally {
      const { method, path, url } = c.req
      const at = new Date(now()).toISOString()
      log.add({ ...entry, at, method, path, query: new URL(url).search, status })
    }
  })

  for (const [id, operation] of Object.entries(OPERATIONS) as [OperationId, Operation][]) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1')
    api.on(operation.method, path, async (c) => {
      const entry = c.get('entry')
      entry.operation = id
      authenticate(c.req.header('authorization'), accessToken)
      const effect = selectFault(c.req.header(FAULT_HEADER), id, faults)
      const fault = await applyEffect(effect, context, c.req.raw.signal)
      if (fault !== undefined) {
        const { status, headers } = fault
        throw new ApiError(status, 'injected_fault', 'Fault injected by the emulator.', { headers })
      }
      const query = new URL(c.req.url).searchParams
      const deviations = [...findDeviations(operation, query, await hasBody(c.req.raw))]
      entry.deviations = deviations.map(formatDeviation)
      if (strict && deviations[0] !== undefined) throw deviations[0]
      const ownCursor = query.get('cursor') || encodeCursor(operation.response.resource, 0)
      const intactEnvelope = executeOperation({ id, path: c.req.param(), query }, context)
      const envelope = corruptEnvelope(intactEnvelope, effect, ownCursor)
      const response = jsonResponse(200, { ...envelope, request_id: entry.id })
      if (deviations.length > 0) {
        response.headers.set(DEVIATION_HEADER, formatDeviations(entry.deviations))
      }
      if (effect?.type === 'cut_off') throw new TruncatedResponse(response, await response.text())
      return response
    })
    api.all(path, (c) => {
      authenticate(c.req.header('authorization'), accessToken)
      const message = `${operation.path} only accepts ${operation.method}.`
      const headers = { allow: operation.method }
      throw new ApiError(405, 'method_not_allowed', message, { headers })
    })
  }

  api.all('*', () => {
    throw new ApiError(404, 'not_found', 'Unknown path. See /openapi.json.')
  })
  api.onError((error, c) => {
    if (error instanceof ConnectionReset) throw error
    const { status, code, message, details } =
      error instanceof ApiError
        ? error
        : new ApiError(500, 'emulator_failed', `Internal emulator error (${error.name}).`)
    const errors = [{ code, message, field: details.field }]
    return jsonResponse(status, { errors, request_id: c.get('entry').id }, details.headers)
  })
  return api
}

const JSON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

function jsonResponse(status: number, body: object, headers: ApiErrorDetails['headers'] = {}) {
  return Response.json(body, { status, headers: { ...JSON_HEADERS, ...headers } })
}

function authenticate(header: string | undefined, accessToken: string): void {
  const token = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1]
  if (token !== undefined && constantTimeEqual(token, accessToken)) return
  const message =
    token === undefined
      ? 'Every operation requires the header Authorization: Bearer <ACCESS_TOKEN>.'
      : 'The access token does not match this emulator.'
  throw new ApiError(401, 'unauthorized', message, { headers: { 'www-authenticate': 'Bearer' } })
}

function selectFault(
  header: string | undefined,
  operation: OperationId,
  faults: FaultEngine,
): FaultEffect | undefined {
  if (header === undefined) return faults.selectEffect('api', operation)
  const effect = parseRequestFault(header)
  if (effect !== undefined && worksOn(effect, 'api', operation)) return effect
  const message = `${FAULT_HEADER} accepts delay=<ms>, status=<code>, reset, cut_off, schema_drift or bad_pagination=<kind> (lists only).`
  throw new ApiError(400, 'invalid_fault', message)
}

async function hasBody(request: Request): Promise<boolean> {
  if (request.method === 'GET') return false
  const first = await request.body?.getReader().read()
  return first?.value !== undefined && first.value.length > 0
}

const MAX_DEVIATIONS = 20

/** Formats the value of the header. Longer lists end in `more=n`. */
function formatDeviations(deviations: readonly string[]): string {
  const items = deviations.slice(0, MAX_DEVIATIONS)
  const more = deviations.length - items.length
  return [...items, ...(more > 0 ? [`more=${more}`] : [])].join(', ')
}

/**
 * Formats a deviation. A parameter name is percent-encoded and truncated, so that
 * it is valid in a header.
 */
function formatDeviation({ code, details: { field } }: ApiError): string {
  if (field === undefined) return code
  return `${code}=${encodeURIComponent(field.slice(0, 64).toWellFormed())}`
}
