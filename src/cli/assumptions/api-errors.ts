import { readErrorBody } from '../../client/error-body.ts'
import { MAX_RETRY_AFTER_MS, retryAfterMs } from '../../client/retry.ts'
import { isJsonObject } from '../../service/json-object.ts'
import type { Result } from './assumption.ts'
import { isSuccess, NO_CALL, readEnvelope } from './envelope.ts'
import { counted, type Evidence, say } from './evidence.ts'
import { maximum, type ApiCall, type Traffic } from './traffic.ts'

/** A12: a 2xx has `data`, and the body of an error has a message or a code where the client reads it. */
export function decideStatuses({ calls }: Traffic): Result {
  if (calls.length === 0) return { status: 'skipped', reason: NO_CALL }
  const errors = calls.filter(({ status }) => status >= 400)
  const problems = calls.flatMap((call): Evidence[] => {
    if (isSuccess(call)) {
      const hasData =
        typeof readEnvelope(call).data === 'object' && readEnvelope(call).data !== null
      return hasData
        ? []
        : [say`status ${call.status} without data, with the fields ${fieldsOf(call)}`]
    }
    if (call.status < 400) return [say`status ${call.status} is neither a success nor an error`]
    return isReadable(call)
      ? []
      : [
          say`status ${call.status} without a known message or code, with the fields ${fieldsOf(call)}`,
        ]
  })
  const statuses = Map.groupBy(calls, ({ status }) => status)
  const evidence = [...statuses].map(
    ([status, each]) =>
      say`status ${status}: ${counted(each.length, 'call')}, with the fields ${fieldsOf(each[0])}`,
  )
  if (problems.length > 0) return { status: 'does_not_hold', evidence: [...problems, ...evidence] }
  return errors.length > 0
    ? { status: 'holds', evidence }
    : { status: 'skipped', reason: say`no call failed. Send one with an unknown ID`, evidence }
}

function isReadable({ text }: ApiCall): boolean {
  return readErrorBody(text, undefined, (each) => each).errors.length > 0
}

function fieldsOf(call: ApiCall | undefined): readonly string[] {
  const body = call?.body
  if (body === undefined) return ['none']
  if (!isJsonObject(body)) return ['none']
  const nested = isJsonObject(body['error'])
    ? Object.keys(body['error']).map((name) => `error.${name}`)
    : []
  return [...Object.keys(body), ...nested]
}

const RATE_HEADER = /rate-?limit|retry|quota/i

/** A13: a 429 says how long to wait, at most a minute. */
export function decideRateLimits({ calls }: Traffic): Result {
  const limited = calls.filter(({ status }) => status === 429)
  const names = [...new Set(calls.flatMap(({ headers }) => [...headers.keys()]))].filter((name) =>
    RATE_HEADER.test(name),
  )
  const evidence = names.length > 0 ? [say`headers about limits: ${names}`] : []
  if (limited.length === 0) {
    return {
      status: 'skipped',
      reason: calls.length === 0 ? NO_CALL : say`no call got status 429`,
      evidence,
    }
  }
  const delays = limited.map(({ headers, startedAt, durationMs }) =>
    retryAfterMs(headers, startedAt + durationMs),
  )
  const without = delays.filter((delay) => delay === undefined).length
  const long = delays.filter((delay = 0) => delay > MAX_RETRY_AFTER_MS).length
  const found = [
    ...(without > 0
      ? [say`${without} of ${limited.length} responses with status 429 do not say how long to wait`]
      : []),
    ...(long > 0 ? [say`${long} of ${limited.length} ask for more than 60 seconds`] : []),
  ]
  if (found.length > 0) return { status: 'does_not_hold', evidence: [...found, ...evidence] }
  const seconds = maximum(delays.map((delay = 0) => Math.round(delay / 1_000)))
  return {
    status: 'holds',
    evidence: [
      say`status 429: ${counted(limited.length, 'call')}, with a delay of up to ${counted(seconds, 'second')}`,
      ...evidence,
    ],
  }
}
