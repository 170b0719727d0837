import { Hono } from 'hono'
import { type Operation, type OperationId, OPERATIONS } from '../../contract/operations.ts'
import { constantTimeEqual } from '../../internal/constant-time-equal.ts'
import { ConnectionReset, CutOff, damageEnvelope } from '../faults/damage.ts'
import type { FaultEngine } from '../faults/engine.ts'
import { FAULT_HEADER, parseRequestFault } from '../faults/request-fault.ts'
import type { FaultEffect } from '../faults/rules.ts'
import type { Pause } from '../pause.ts'
import { ApiError, errorBody } from './api-error.ts'
import { writeCursor } from './cursor.ts'
import { type Deviation, findDeviations } from './deviations.ts'
import { perform, type ServiceContext } from './handlers.ts'
import type { RequestLog } from './request-log.ts'

/** What the emulated API is made of. */
export interface ApiOptions extends ServiceContext {
  readonly accessToken: string
  /** Refuse what the contract does not show, rather than name it in a header. */
  readonly strict: boolean
  readonly faults: FaultEngine
  readonly pause: Pause
  readonly log: RequestLog
}

/** Names what a request did beside the contract, as `code` or `code=parameter`. */
export const DEVIATION_HEADER = 'x-sidecard-deviation'

interface ApiVariables {
  Variables: { requestId: string; operation: OperationId | null; deviations: readonly Deviation[] }
}

/**
 * The eight operations of the service, over a store. Every answer, a refusal
 * too, is JSON with a `request_id`.
 *
 * @throws {ConnectionReset} from `fetch` when a fault closes the connection, {CutOff} when it does so in the middle of the answer
 * @see docs/emulator.md#the-api
 */
export function createApi(options: ApiOptions): Hono<ApiVariables> {
  const api = new Hono<ApiVariables>()
  api.use(async (c, next) => {
    c.set('requestId', options.newId('req'))
    c.set('operation', null)
    c.set('deviations', [])
    let status: number | null = null
    try {
      await next()
      status = c.res.status
    } finally {
      const { method, path } = c.req
      options.log.add({
        id: c.get('requestId'),
        at: new Date(options.now()).toISOString(),
        method,
        path,
        query: new URL(c.req.url).search,
        operation: c.get('operation'),
        status,
        deviations: c.get('deviations').map(nameOf),
      })
    }
  })

  for (const [id, operation] of Object.entries(OPERATIONS) as [OperationId, Operation][]) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1')
    api.on(operation.method, path, async (c) => {
      c.set('operation', id)
      authenticate(c.req.header('authorization'), options.accessToken)
      const effect = faultOf(c.req.header(FAULT_HEADER), id, options.faults)
      await suffer(effect, options, c.req.raw.signal)
      const query = new URL(c.req.url).searchParams
      const deviations = findDeviations(operation, query, await hasBody(c.req.raw))
      c.set('deviations', deviations)
      if (options.strict && deviations[0] !== undefined) throw refusalOf(deviations[0])
      const ownCursor = query.get('cursor') || writeCursor(operation.response.resource, 0)
      const sound = perform({ id, path: c.req.param(), query }, options)
      const envelope = damageEnvelope(sound, effect, ownCursor)
      const body = JSON.stringify({ ...envelope, request_id: c.get('requestId') })
      const response = answer(200, body)
      if (deviations.length > 0) {
        response.headers.set(DEVIATION_HEADER, deviations.map(nameOf).join(', '))
      }
      if (effect?.type === 'cut_off') throw new CutOff(response, body)
      return response
    })
    api.all(path, (c) => {
      authenticate(c.req.header('authorization'), options.accessToken)
      const message = `${operation.path} takes ${operation.method} only.`
      throw new ApiError(405, 'method_not_allowed', message, {
        headers: { allow: operation.method },
      })
    })
  }

  api.notFound(() => {
    throw new ApiError(
      404,
      'not_found',
      'The API has no such path: /openapi.json lists what it has.',
    )
  })
  api.onError((error, c) => {
    if (error instanceof ConnectionReset) throw error
    const known =
      error instanceof ApiError
        ? error
        : new ApiError(500, 'emulator_failed', `The emulator itself failed: ${error.message}`)
    const body = JSON.stringify(errorBody(known, c.get('requestId')))
    return answer(known.status, body, known.headers)
  })
  return api
}

function answer(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(body, {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  })
}

function authenticate(header: string | undefined, accessToken: string): void {
  const given = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1]
  if (given !== undefined && constantTimeEqual(given, accessToken)) return
  const message =
    given === undefined
      ? 'The header Authorization: Bearer <ACCESS_TOKEN> is required on every operation.'
      : 'The access token is not the one of this emulator.'
  throw new ApiError(401, 'unauthorized', message, { headers: { 'www-authenticate': 'Bearer' } })
}

function faultOf(
  header: string | undefined,
  operation: OperationId,
  faults: FaultEngine,
): FaultEffect | undefined {
  if (header === undefined) return faults.decide('api', operation)
  const effect = parseRequestFault(header)
  if (effect !== undefined) return effect
  throw new ApiError(
    400,
    'invalid_fault',
    `${FAULT_HEADER} takes delay=<ms>, status=<code>, reset, cut_off, schema_drift, bad_pagination=<kind> or the name of a preset.`,
  )
}

async function suffer(
  effect: FaultEffect | undefined,
  { faults, pause }: ApiOptions,
  signal: AbortSignal,
): Promise<void> {
  if (effect?.type === 'delay') await pause(faults.delayOf(effect), signal)
  if (effect?.type === 'reset') throw new ConnectionReset('A fault closed the connection.')
  if (effect?.type !== 'status') return
  const { status, retryAfterSeconds } = effect
  throw new ApiError(status, 'injected_fault', 'A fault of the emulator, switched on by you.', {
    headers: retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
  })
}

async function hasBody(request: Request): Promise<boolean> {
  if (request.method === 'GET') return false
  const first = await request.body?.getReader().read()
  return first?.value !== undefined && first.value.length > 0
}

function refusalOf({ code, message, field }: Deviation): ApiError {
  return new ApiError(400, code, message, field === undefined ? {} : { field })
}

/** For a header: what is not plain in the name of a parameter is percent-encoded. */
function nameOf({ code, field }: Deviation): string {
  return field === undefined ? code : `${code}=${encodeURIComponent(field.toWellFormed())}`
}
