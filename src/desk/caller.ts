import { SidecardError } from '../errors.ts'
import type { Payload } from '../contract/payload.ts'
import { redactor } from '../internal/redact.ts'
import type { Redact } from '../internal/redact.ts'
import { judgeData } from './data-answer.ts'
import type { DataFault } from './data-answer.ts'
import { exchange } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import { fetchDataQuery, verifyQuery, withQuery } from './query.ts'
import type { FetchDataIds, Query } from './query.ts'
import { dataFindings, handshakeFindings } from './rules/index.ts'
import type { Finding } from './rules/rule.ts'
import { resolveTarget } from './target.ts'
import type { Send, Target } from './target.ts'
import { judgeHandshake } from './verify.ts'
import type { HandshakeFault, HandshakeForm } from './verify.ts'

/** How the desk calls an endpoint. */
export interface CallerOptions {
  readonly target: Target
  /** The address that an endpoint in process is called at. @default 'http://sidecard.test/' */
  readonly url?: string | URL
  /** The custom headers of the app, sent with each request, and only to the target. @default {} */
  readonly headers?: Readonly<Record<string, string>>
  /** For the headers and the whole body of one answer. @default 5000 (A7) */
  readonly timeoutMs?: number
  /** The most bytes of a body, after decompression. @default 1048576 */
  readonly maxBodyBytes?: number
  /** A clock in milliseconds. @default Date.now */
  readonly now?: () => number
  /** Sends requests to an address. @default globalThis.fetch */
  readonly fetch?: Send
}

/** What became of a handshake. */
export type HandshakeResult =
  | { readonly ok: true; readonly form: HandshakeForm; readonly exchange: Exchange }
  | {
      readonly ok: false
      readonly reason: HandshakeFault
      /** One line, safe to print. */
      readonly message: string
      /** One line that says what to do. */
      readonly remedy: string
      /** The code that the answer held instead, where it held one. */
      readonly answered?: string
      readonly findings: readonly Finding[]
      readonly exchange: Exchange
    }

/**
 * What an agent would see of a data fetch: the widget, the error state that an
 * unknown component causes, or nothing usable.
 */
export type FetchDataResult =
  | {
      readonly outcome: 'rendered'
      readonly payload: Payload
      /** What the checker would advise; nothing in it breaks the contract. */
      readonly findings: readonly Finding[]
      readonly exchange: Exchange
    }
  | {
      readonly outcome: 'unknown_component' | 'invalid_payload' | DataFault
      /** The JSON object as it came, when the answer was one. */
      readonly value?: unknown
      /** One line, safe to print. */
      readonly message: string
      /** One line that says what to do. */
      readonly remedy: string
      readonly findings: readonly Finding[]
      readonly exchange: Exchange
    }

/** The service's side of the contract: it asks, reads and judges. */
export interface Caller {
  /** The endpoint's address, its own query included. */
  readonly url: URL
  /** Sends the handshake with this code. */
  verify(code: string): Promise<HandshakeResult>
  /** Asks for the widget's data; ids that are absent are not sent (A4). */
  fetchData(ids: FetchDataIds): Promise<FetchDataResult>
  /** Sends any query, also one that the service never would. */
  send(query: Query): Promise<Exchange>
  /** Hides the values of the custom headers in text that is about to be shown. */
  readonly redact: Redact
}

/**
 * Makes a caller. Calling never throws: what goes wrong is in the result.
 *
 * @throws {SidecardError} `invalid_target` for an address that cannot be called; `invalid_header` for a header that HTTP does not allow.
 * @see docs/testing.md
 */
export function createCaller(options: CallerOptions): Caller {
  const { url, send } = resolveTarget(options.target, options)
  const headers = options.headers ?? {}
  assertHeaders(headers)
  const redact = redactor(Object.values(headers))
  const ask = (query: Query) => exchange(withQuery(url, query), { ...options, headers, send })

  return {
    url,
    redact,
    send: ask,
    async verify(code) {
      const answer = await ask(verifyQuery(code))
      const verdict = judgeHandshake(code, answer)
      if (verdict.ok) return { ok: true, form: verdict.form, exchange: answer }
      const findings = hide(handshakeFindings(verdict), redact)
      return {
        ...verdict,
        message: redact(verdict.message),
        remedy: findings[0]?.fix ?? '',
        findings,
        exchange: answer,
      }
    },
    async fetchData(ids) {
      const answer = await ask(fetchDataQuery(ids))
      const verdict = judgeData(answer)
      const findings = hide(dataFindings(verdict), redact)
      const worst = findings.find(({ level }) => level === 'MUST')
      if (verdict.ok && worst === undefined) {
        const payload = verdict.value as unknown as Payload
        return { outcome: 'rendered', payload, findings, exchange: answer }
      }
      return {
        outcome: verdict.ok ? payloadOutcome(findings) : verdict.reason,
        ...(verdict.ok && { value: verdict.value }),
        message: worst === undefined ? '' : sentence(worst),
        remedy: worst?.fix ?? '',
        findings,
        exchange: answer,
      }
    },
  }
}

/** The contract names one fault of a payload that shows as an error state; it wins. */
function payloadOutcome(findings: readonly Finding[]): 'unknown_component' | 'invalid_payload' {
  const unknown = findings.some(({ rule }) => rule === 'component-type' || rule === 'card-nested')
  return unknown ? 'unknown_component' : 'invalid_payload'
}

function sentence({ path, message }: Finding): string {
  return path === undefined ? message : `${path}: ${message}`
}

function hide(findings: readonly Finding[], redact: Redact): readonly Finding[] {
  return findings.map((found) => ({ ...found, message: redact(found.message) }))
}

/**
 * Refuses custom headers that HTTP does not allow.
 *
 * @throws {SidecardError} `invalid_header`; it never holds a value
 */
export function assertHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!isHeader(name, value)) {
      throw new SidecardError(
        'invalid_header',
        `The custom header ${JSON.stringify(name)} is not one that HTTP allows: look for spaces in its name, and for line ends or characters outside Latin-1 in its value.`,
      )
    }
  }
}

/** Asked of the platform, whose own error would hold the value. */
function isHeader(name: string, value: string): boolean {
  try {
    return new Headers([[name, value]]).has(name)
  } catch {
    return false
  }
}
