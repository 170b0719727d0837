import { invalidOption } from '../../internal/read-options.ts'
import type { ActionRecord, Instrument, ResponseRecord } from './instrument.ts'

/** A record of a data fetch or of an action. Only a record of an action has `action`. */
export type AuditRecord = DataFetchAuditRecord | ActionAuditRecord

/**
 * A record of whose data was returned for which issue. It contains IDs, but no
 * header or value of the payload. It does not name the agent, because the
 * service does not send one (A16).
 */
export interface DataFetchAuditRecord extends Pick<
  ResponseRecord,
  'traceId' | 'params' | 'via' | 'unmatched' | 'sections' | 'status' | 'outcome'
> {
  /** The time at which the request arrived, in RFC 3339. */
  readonly time: string
  /** The kinds of the failures. */
  readonly failures: readonly string[]
  readonly action?: undefined
  readonly agent?: undefined
}

/**
 * A record of an action: who opened its page or confirmed it, for which issue, and
 * the outcome. Of the input and the values, it only contains what the action's
 * options `summary` and `audit` return.
 */
export interface ActionAuditRecord extends Omit<ActionRecord, 'startedAtMs' | 'durationMs'> {
  /** The time at which the request arrived, in RFC 3339. */
  readonly time: string
  readonly via?: undefined
  readonly unmatched?: undefined
  readonly sections?: undefined
  readonly failures?: undefined
}

/**
 * Creates an instrument that writes an audit record for each data fetch. It also writes
 * one for each request with a valid link to the page of an action. An
 * error of `write` is logged and does not affect the response. A promise is
 * awaited in the background.
 *
 * @throws {SidecardError} `invalid_options` unless `write` is a function
 * @see docs/guides/observing.md#audit
 * @example
 * sidecard({ ...options, instrument: audit((record) => auditLog.insert(record)) })
 */
export function audit(write: (record: AuditRecord) => void | Promise<void>): Instrument {
  if (typeof write !== 'function') {
    throw invalidOption('audit', 'the argument', 'a function that writes the record', write)
  }
  return {
    onResponse({ startedAtMs, params, failures, ...record }) {
      const { traceId, via, unmatched, sections, status, outcome } = record
      return write({
        time: new Date(startedAtMs).toISOString(),
        traceId,
        params: { ...params },
        via,
        unmatched,
        sections,
        status,
        outcome,
        failures: failures.map(({ kind }) => kind),
      })
    },
    onAction({ startedAtMs, durationMs: _durationMs, params, ...record }) {
      return write({ time: new Date(startedAtMs).toISOString(), params: { ...params }, ...record })
    },
  }
}
