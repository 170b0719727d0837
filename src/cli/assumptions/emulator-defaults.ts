import { isJsonObject } from '../../service/json-object.ts'
import type { Result } from './assumption.ts'
import { isSuccess, NO_CALL, readEnvelope } from './envelope.ts'
import { counted, say } from './evidence.ts'
import { type Traffic, valuesOf } from './traffic.ts'

/** The page size of the emulator (A15). */
const PAGE_SIZE = 50

/** A15: the service responds as the emulator does. The state of a connection is not visible. */
export function decideEmulator({ calls }: Traffic): Result {
  const successes = calls.filter(isSuccess)
  const other = successes.filter(({ status }) => status !== 200)
  const full = successes.filter(
    (call) => readEnvelope(call).hasNextPage === true && valuesOf(call, 'limit').length === 0,
  )
  const sizes = [...new Set(full.map((call) => readEnvelope(call).items?.length ?? 0))]
  const redacted = successes
    .filter(({ operation }) => operation === 'redactMessage')
    .map(readEnvelope)
  const kept = redacted.filter(({ data }) => {
    const { message_html: html, file_urls: files } = isJsonObject(data) ? data : {}
    return (html ?? '') !== '' || (Array.isArray(files) && files.length > 0)
  })
  const statuses = [...new Set(other.map((call) => call.status))]
  const problems = [
    ...statuses.map(
      (status) =>
        say`successful with status ${status}: ${counted(other.filter((call) => call.status === status).length, 'call')}`,
    ),
    ...sizes
      .filter((size) => size !== PAGE_SIZE)
      .map((size) => say`a page with a next page has ${size} items, not 50`),
    ...(kept.length > 0
      ? [say`with text or files: ${kept.length} of ${counted(redacted.length, 'redacted message')}`]
      : []),
  ]
  if (problems.length > 0) return { status: 'does_not_hold', evidence: problems }
  if (successes.length === 0) {
    return { status: 'skipped', reason: calls.length === 0 ? NO_CALL : say`no call succeeded` }
  }
  const evidence = [
    say`successful with status 200: ${counted(successes.length, 'call')}`,
    sizes.length > 0 ? say`pages have 50 items` : say`no full page was seen`,
    redacted.length > 0
      ? say`without text and files: ${counted(redacted.length, 'redacted message')}`
      : say`no redacted message was seen`,
  ]
  return { status: 'holds', evidence }
}
