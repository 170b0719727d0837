/**
 * The value of `x-sidecard-failure`: a structured-field list (RFC 9651). The
 * app writes it, and every tool reads it.
 */

/**
 * The reason why a response, or a part of it, was replaced.
 *
 * - `callback_failed`: `fetchData` threw or rejected.
 * - `timeout`: `fetchData` did not return before the timeout.
 * - `invalid_payload`: the return value violates schema 1.0.0.
 * - `payload_too_large`: the payload exceeds `limits`.
 * - `identity_failed`: a lookup of `identify()` failed.
 * - `section_failed`: a section or a promised component failed; the rest is shown.
 * - `section_timeout`: a section or a promised component timed out; the rest is shown.
 */
export type FailureKind = (typeof FAILURE_KINDS)[number]

/** Every {@link FailureKind}. */
export const FAILURE_KINDS = [
  'callback_failed',
  'timeout',
  'invalid_payload',
  'payload_too_large',
  'identity_failed',
  'section_failed',
  'section_timeout',
] as const

/** One failure in the header. */
export interface ReportedFailure {
  /** `unknown` if this version does not recognize the token, or the header is malformed. */
  readonly kind: FailureKind | 'unknown'
  /** The 0-based index of the first component that replaces a section in the sent payload. */
  readonly component?: number
  /** Whether the last successfully loaded content is shown instead. */
  readonly stale: boolean
}

/** The maximum number of items. Longer lists end in `more;count=n`. */
const MAX_ITEMS = 20

/** Formats one or more failures as the value of the header. */
export function serializeFailures(failures: readonly ReportedFailure[]): string {
  const items = failures.slice(0, MAX_ITEMS).map(({ kind, component, stale }) => {
    const index = component === undefined ? '' : `;component=${component}`
    return `${kind}${index}${stale ? ';stale' : ''}`
  })
  const more = failures.length - items.length
  return more > 0 ? `${items.join(', ')}, more;count=${more}` : items.join(', ')
}

const ITEM = /^([a-z*][\w!#$%&'*+.^`|~:/-]*)((?:; *[a-z*][a-z0-9_.*-]*(?:=[^;,]+)?)*)$/

/**
 * Parses the value of the header. A malformed value or an unknown token becomes a
 * failure of kind `unknown`. Returns an empty list for a missing header. Never
 * throws.
 */
export function parseFailures(value: string | null | undefined): readonly ReportedFailure[] {
  if (value === null || value === undefined) return []
  return value.split(',').flatMap((item) => parseItem(item.trim()))
}

function parseItem(item: string): readonly ReportedFailure[] {
  const [, token, list = ''] = ITEM.exec(item) ?? []
  const parameters = new Map(
    list.split(';').map((parameter) => {
      const [name = '', value = '?1'] = parameter.trim().split('=')
      return [name, value] as const
    }),
  )
  // "more" stands for failures that did not fit into the header.
  if (token === 'more') return [{ kind: 'unknown', stale: false }]
  const kind = FAILURE_KINDS.find((known) => known === token) ?? 'unknown'
  const index = /^\d{1,9}$/.exec(parameters.get('component') ?? '')?.[0]
  return [
    {
      kind,
      ...(index !== undefined && { component: Number(index) }),
      stale: parameters.get('stale') === '?1',
    },
  ]
}
