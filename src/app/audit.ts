import type { FetchDataParams } from '../contract/parameters.ts'
import { invalidOption } from '../internal/read-options.ts'
import type { DesignedOutcome } from './designed-card.ts'
import type { ActionRecord, Instrument } from './instrument.ts'

/** A record of a data fetch, or of an action: only the latter has `action`. */
export type AuditRecord = DataFetchAuditRecord | ActionAuditRecord

/**
 * A record of whose data was returned for which issue. It contains IDs, but no
 * header or value of the payload. It does not name the agent, because the
 * service does not send one (A16).
 */
export interface DataFetchAuditRecord {
  /** When the request arrived, in RFC 3339. */
  readonly time: string
  readonly traceId: string
  /** The contract's seven IDs, as the request has them. */
  readonly params: FetchDataParams
  /** The ID that identified the customer; see `identify()`. */
  readonly via: string | undefined
  /** The IDs that were present and matched nothing. */
  readonly unmatched: readonly string[]
  /** The titles of the sections that were shown. */
  readonly sections: readonly string[]
  /** 499 if the caller disconnected: nobody saw the response. */
  readonly status: number
  /** Set if the agent saw only designed cards. One for an ambiguous match may name candidates. */
  readonly outcome: DesignedOutcome | undefined
  /** The kinds of the failures. */
  readonly failures: readonly string[]
  readonly action?: undefined
  readonly agent?: undefined
}

/**
 * A record of an action: who opened its page or confirmed it, for which issue, and
 * what became of it. Of the input and the values of the form, it contains only what the options
 * `confirm` and `audit` of the action return.
 */
export interface ActionAuditRecord {
  /** When the request arrived, in RFC 3339. */
  readonly time: string
  readonly traceId: string
  /** The name of the action. */
  readonly action: string
  /** The agent; `undefined` with `anyAgent()`, or if the sign-in was denied. */
  readonly agent: ActionRecord['agent']
  /** The IDs of the issue whose sidebar contained the link. */
  readonly params: FetchDataParams
  readonly status: number
  /**
   * `shown` for the form, `started` before the action runs, `done` after a success; see
   * docs/guides/actions.md.
   */
  readonly outcome: string
  /** What was confirmed. */
  readonly sentence: string | undefined
  /** What the option `audit` of the action returned. */
  readonly details: unknown
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
    onResponse({
      startedAtMs,
      traceId,
      params,
      via,
      unmatched,
      sections,
      status,
      outcome,
      failures,
    }) {
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
