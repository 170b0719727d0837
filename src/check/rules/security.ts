import { quoted } from '../../internal/printable.ts'
import { allProbes } from '../probe.ts'
import type { DataProbe, Evidence, Probe } from '../probe.ts'
import { showsHeader, visibleText } from '../leaks.ts'
import { isPublicHost } from '../public-address.ts'
import { payloadSecurityRules } from './payload.ts'
import { fault, KEPT, list, skipped } from './rule.ts'
import type { CheckRule } from './rule.ts'

const headerShown: CheckRule = {
  id: 'security-header-echo',
  group: 'security',
  level: 'MUST',
  title: 'No answer shows a header of the request',
  contract: {
    says: 'Custom headers are sent to the endpoint. An answer is the code or the payload, which agents see.',
    anchor: 'authentication',
    basis: 'harm',
  },
  fix: 'Never put request headers into an answer, an error or a debug field.',
  why: 'The custom headers hold the secret. Shown in the sidebar or in an error, it belongs to everybody who looks over a shoulder.',
  judge(evidence) {
    const { canary, headers } = evidence
    const marked = canary.probes.find(({ exchange }) =>
      visibleText(exchange).includes(canary.value),
    )
    if (marked !== undefined) {
      return fault({ message: `${marked.name}: the answer shows the value of that header` })
    }
    const { auth } = evidence
    for (const { values, probe } of [...auth.handshake, ...auth.data]) {
      const text = visibleText(probe.exchange)
      // A short value, such as a secret of one letter with one more, proves nothing.
      if (values.some((value) => value.length >= 8 && text.includes(value))) {
        return fault({ message: `${probe.name}: the answer shows what was sent` })
      }
    }
    for (const [name, value] of Object.entries(headers)) {
      const leak = allProbes(evidence).find(({ exchange }) => showsHeader(name, value, exchange))
      if (leak !== undefined) {
        return fault({ message: `${leak.name}: the answer shows the value of ${quoted(name, 60)}` })
      }
    }
    return KEPT
  },
}

const isolation: CheckRule = {
  id: 'security-isolation',
  group: 'security',
  level: 'MUST',
  title: 'Every customer gets the answer about themselves',
  contract: {
    says: '`account_id`: ID of the account that owns the issue; `requester_email`: email of the requester.',
    anchor: 'data-fetch',
    basis: 'words',
  },
  fix: 'Keep the ids in the request that they came with, and put all of them into the key of every cache.',
  why: 'A variable that requests share, or a cache whose key lacks an id, shows one customer’s data on another’s issue. It is seen when an answer holds an id that only another request carried, so an endpoint that shows no id cannot be judged fully.',
  judge(evidence) {
    const asked = dataProbes(evidence)
    const customers = new Set(asked.map(({ customer }) => customer))
    if (customers.size < 2) return skipped('no data came for two different customers')
    const tokens = [...customers].flatMap((customer) => customer.tokens)
    for (const probe of asked) {
      const text = visibleText(probe.exchange).toLowerCase()
      const { url } = probe.exchange.request
      if (tokens.some((token) => text.includes(token) && !url.includes(token))) {
        return fault({ message: `${probe.name}: shows an id that another request carried` })
      }
    }
    return KEPT
  },
}

const cors: CheckRule = {
  id: 'security-cors',
  group: 'security',
  level: 'SHOULD',
  title: 'Pages of other sites may not read the answers',
  contract: {
    says: 'The service calls the endpoint, and no browser does. Nothing asks for CORS headers.',
    anchor: 'requests',
    basis: 'silence',
  },
  fix: 'Remove Access-Control-Allow-Origin.',
  why: 'With `*`, any page that an agent opens can read what the endpoint answers in the agent’s network.',
  judge: (evidence) =>
    judgeHeaders(evidence, 'access-control-allow-origin', (value) =>
      value === undefined ? undefined : `Access-Control-Allow-Origin is ${quoted(value, 60)}`,
    ),
}

const nosniff: CheckRule = {
  id: 'security-nosniff',
  group: 'security',
  level: 'SHOULD',
  title: 'Browsers are told not to guess the type',
  contract: {
    says: 'The answer says its Content-Type. That nothing may guess another is the safe reading.',
    anchor: 'handshake',
    basis: 'silence',
  },
  fix: 'Send X-Content-Type-Options: nosniff.',
  why: 'The handshake repeats what a stranger wrote into the address. A browser that guesses could take it for HTML.',
  judge: (evidence) =>
    judgeHeaders(evidence, 'x-content-type-options', (value) =>
      value?.trim().toLowerCase() === 'nosniff'
        ? undefined
        : 'X-Content-Type-Options is not nosniff',
    ),
}

const cache: CheckRule = {
  id: 'security-cache',
  group: 'security',
  level: 'SHOULD',
  title: 'No shared cache may keep an answer',
  contract: {
    says: 'A code is unique for each handshake, and data is about one issue. Caching is not shown.',
    anchor: 'requests',
    basis: 'silence',
  },
  fix: 'Send Cache-Control: no-store.',
  why: 'A proxy that may keep an answer may give it to somebody without the secret.',
  judge: (evidence) =>
    judgeHeaders(evidence, 'cache-control', (value = '') => {
      const shared = /\bpublic\b|\bs-maxage\s*=|\bmax-age\s*=\s*"?[1-9]/i.test(value)
      return shared && !/\bno-store\b|\bprivate\b/i.test(value)
        ? `Cache-Control is ${quoted(value, 60)}`
        : undefined
    }),
}

const https: CheckRule = {
  id: 'security-https',
  group: 'security',
  level: 'SHOULD',
  title: 'The address is https',
  contract: {
    says: 'The service sends the custom headers and the requester’s e-mail address to the URL.',
    anchor: 'requests',
    basis: 'silence',
  },
  fix: 'Serve the endpoint over https, and configure that address.',
  why: 'Over http the secret and the customer’s data can be read and changed on the way. An address on your own machine or network is not warned about.',
  judge({ url, overNetwork }) {
    if (!overNetwork || url.protocol === 'https:') return KEPT
    return isPublicHost(url.hostname) ? fault({ message: 'the address is http' }) : KEPT
  },
}

function judgeHeaders(
  { handshakes, samples }: Evidence,
  name: string,
  judge: (value: string | undefined) => string | undefined,
) {
  const right = [...handshakes, ...samples].filter(({ verdict }) => verdict.ok)
  if (right.length === 0) return skipped('no answer was right')
  const found = right.flatMap((probe: Probe) => {
    const message = judge(probe.exchange.response?.headers[name])
    return message === undefined ? [] : [{ name: probe.name, message }]
  })
  const [first] = found
  if (first === undefined) return KEPT
  const where = found.length < right.length ? ` (${list(found.map((each) => each.name))})` : ''
  return fault({ message: `${first.message}${where}` })
}

function dataProbes({ samples, customers, parameters }: Evidence): readonly DataProbe[] {
  const special = [parameters.absentIds, parameters.emptyIds, parameters.specialEmail]
  return [...samples, ...customers, ...special.filter((probe) => probe !== undefined)]
}

/** Every rule of security, in the order of the reports. */
export const securityRules: readonly CheckRule[] = [
  headerShown,
  isolation,
  ...payloadSecurityRules,
  cors,
  nosniff,
  cache,
  https,
]
