import { isDateTime } from '../../contract/date-time.ts'
import { DEFAULT_URI_SCHEMES, uriFault } from '../../contract/uri.ts'
import { quoted } from '../../internal/printable.ts'
import type { PayloadRule } from './payload.ts'
import type { PayloadNode } from './payload-walk.ts'
import { shapedFields } from './shaped-fields.ts'
import type { Fault } from './rule.ts'

/** Schemes that run code in the agent's browser, in a link or a button. */
const SCRIPT = /^(?:javascript|vbscript):|^data:(?!image\/)/i

const dateTime: PayloadRule = {
  id: 'date-time',
  group: 'components',
  level: 'MUST',
  title: 'A date_time value is an RFC 3339 date-time',
  contract: {
    says: '`date_time`: `value` (string, RFC 3339 date-time).',
    anchor: 'date-times',
    basis: 'words',
  },
  fix: 'Write the date, T, the time with seconds, and an offset: 2026-11-21T09:30:00Z.',
  why: 'RFC 3339 asks for an offset, for seconds and for a day that exists. A local time without an offset means a different moment to each reader. Leap seconds and a lower-case `t` and `z` are allowed.',
  judge(node) {
    return firstBad(node, 'date_time', (value) => {
      if (isDateTime(value)) return undefined
      return { message: `${quoted(value)} is not an RFC 3339 date-time`, ...dateTimeFix(value) }
    })
  },
}

function dateTimeFix(value: string): { fix?: string } {
  const complete = [`${value}Z`, `${value}:00Z`, `${value}T00:00:00Z`].find((text) =>
    isDateTime(text),
  )
  if (complete === `${value}Z`) return { fix: `Add the offset, such as ${complete} for UTC.` }
  if (complete !== undefined) return { fix: `Write it in full, such as ${complete}.` }
  if (isDateTime(value.trim())) return { fix: 'Remove the white space around it.' }
  if (isDateTime(value.replace(' ', 'T'))) return { fix: 'Write T between the date and the time.' }
  if (/^\d{9,14}$/.test(value)) return { fix: 'Convert the Unix time to RFC 3339.' }
  return {}
}

const uri: PayloadRule = {
  id: 'uri',
  group: 'components',
  level: 'MUST',
  title: 'Every url and icon_url is an absolute URI',
  contract: {
    says: '`url` and `icon_url` are URI strings (RFC 3986).',
    anchor: 'uris',
    basis: 'words',
  },
  fix: 'Write the address in full, beginning with https://, and percent-encode other characters.',
  why: 'A URI begins with a scheme: `/orders/1`, `//host/x` and `example.com/x` are references, which need a page to be relative to, and the sidebar is not your page. Spaces and letters outside ASCII are percent-encoded.',
  judge(node) {
    return firstBad(node, 'uri', (value) => {
      const fault = uriFault(value)
      if (fault === 'host') return { message: `${quoted(value)} names no host` }
      if (fault !== 'syntax') return undefined
      if (value === '')
        return {
          message: 'it is an empty string',
          fix: 'Leave the field out, or give it an address.',
        }
      const relative = /^[/.?#]/.test(value) || !/^[A-Za-z][A-Za-z0-9+.-]*:/.test(value)
      return { message: `${quoted(value)} is ${relative ? 'relative' : 'not a URI (RFC 3986)'}` }
    })
  },
}

const uriScheme: PayloadRule = {
  id: 'uri-scheme',
  group: 'components',
  level: 'ASSUMED',
  assumption: 'A9',
  title: 'Every url and icon_url is http or https',
  contract: {
    says: '`url` and `icon_url` are URI strings. Which schemes the service opens is not shown.',
    anchor: 'uris',
    basis: 'silence',
  },
  fix: `Use ${DEFAULT_URI_SCHEMES.join(' or ')}.`,
  why: '`mailto:`, `tel:` and the schemes of desktop apps are URIs, but the sidebar may not open them.',
  judge(node) {
    return firstBad(node, 'uri', (value) =>
      uriFault(value) === 'scheme' && !SCRIPT.test(value)
        ? { message: `the scheme of ${quoted(value, 40)} is neither http nor https` }
        : undefined,
    )
  },
}

const scriptUrl: PayloadRule = {
  id: 'security-script-url',
  group: 'security',
  level: 'MUST',
  title: 'No address runs code',
  contract: {
    says: 'A button or a link shows a link, for example to an admin dashboard.',
    anchor: 'components',
    basis: 'harm',
  },
  fix: 'Never build an address from what a customer typed; use https addresses of your own.',
  why: 'A `javascript:` address is a URI and no link: clicked, it runs in the agent’s session. It is most often a customer’s text that reached an address unchecked.',
  judge(node) {
    return firstBad(node, 'uri', (value) =>
      SCRIPT.test(value) && uriFault(value) !== 'syntax'
        ? { message: `${quoted(value, 40)} can run code` }
        : undefined,
    )
  },
}

/** The first string field of one kind that a judge finds bad. */
function firstBad(
  node: PayloadNode,
  kind: 'uri' | 'date_time',
  judge: (value: string) => Fault | undefined,
): Fault | undefined {
  for (const { name, shape, value } of shapedFields(node)) {
    if (shape.kind !== kind || typeof value !== 'string') continue
    const fault = judge(value)
    if (fault !== undefined) {
      return { ...fault, path: `${node.path}.${name}`, message: `${name}: ${fault.message}` }
    }
  }
  return undefined
}

/** The rules of strings with a grammar. @see docs/checks/README.md#components */
export const valueRules: readonly PayloadRule[] = [dateTime, uri, uriScheme]

/** The rule of a payload that is about safety. @see docs/checks/README.md#security */
export const payloadSecurityRules: readonly PayloadRule[] = [scriptUrl]
