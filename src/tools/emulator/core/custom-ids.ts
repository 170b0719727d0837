import { kind } from '../../../runtime/internal/read-options.ts'
import { assertIds } from '../../service/endpoint/endpoint-options.ts'
import type { FetchDataIds } from '../../service/endpoint/query.ts'
import type { CustomIds } from '../protocol/exchanges.ts'

const CUSTOM_ID = kind(
  'a string, or null to leave it out',
  (value) => value === null || typeof value === 'string',
)

/**
 * Rejects unknown IDs, and values that are neither strings nor null.
 *
 * @throws {SidecardError} `invalid_options`
 */
export function assertCustomIds(caller: string, params: unknown): void {
  assertIds(caller, params, 'params.', CUSTOM_ID)
}

/** Replaces IDs with custom ones. `null` omits an ID. */
export function replaceIds(ids: FetchDataIds, custom: CustomIds = {}): FetchDataIds {
  const replaced = Object.entries(custom).filter(([, value]) => value !== undefined)
  const sent = replaced.map(([name, value]) => [name, value ?? undefined])
  return { ...ids, ...Object.fromEntries(sent) }
}
