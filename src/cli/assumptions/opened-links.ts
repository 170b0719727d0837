import type { Result } from './assumption.ts'
import { counted, say } from './evidence.ts'
import { maximum, type EndpointRequest, type Traffic } from './traffic.ts'

/** A17: links stay whole, and only agents open them. */
export function decideLinks({ links, others }: Traffic): Result {
  const opened = others.filter(({ link }) => link !== undefined)
  const cut = opened.filter(({ link }) => link?.use === 'cut')
  const unknown = opened.filter(({ headerNames }) => headerNames.length === 0)
  const automatic = opened.filter(
    (request) => request.headerNames.length > 0 && !isNavigation(request),
  )
  const lengths = opened.map(({ link }) => link?.length ?? 0)
  const evidence = [
    say`for a link in a payload: ${counted(opened.length, 'request')}, ${automatic.length} of them not from a browser page`,
    ...(maximum(lengths) > 0
      ? [say`the longest opened link has ${maximum(lengths)} characters`]
      : []),
    ...(automatic.length > 0
      ? [say`methods: ${[...new Set(automatic.map(({ method }) => method))]}`]
      : []),
  ]
  if (cut.length > 0) {
    return {
      status: 'does_not_hold',
      evidence: [say`cut: ${counted(cut.length, 'link')}`, ...evidence],
    }
  }
  if (automatic.length > 0) return { status: 'does_not_hold', evidence }
  if (opened.length > unknown.length) return { status: 'holds', evidence }
  if (unknown.length > 0) {
    return {
      status: 'skipped',
      reason: say`the file does not contain the headers of the requests that opened links`,
      evidence,
    }
  }
  return {
    status: 'skipped',
    reason:
      links === 0
        ? say`no payload contains a link or a button`
        : say`no link was opened through the tunnel. Show a button with a URL of the endpoint's host, and open it as an agent`,
  }
}

/** Headers that browsers only send when a person opens a page. */
const OF_NAVIGATIONS = ['sec-fetch-user', 'upgrade-insecure-requests']

/** A prefetch of a browser has a `sec-purpose`. */
function isNavigation({ method, headerNames }: EndpointRequest): boolean {
  const isOpened = OF_NAVIGATIONS.some((name) => headerNames.includes(name))
  return method === 'GET' && isOpened && !headerNames.includes('sec-purpose')
}
