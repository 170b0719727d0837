import { computed, signal } from '@preact/signals'

/**
 * Where in the workspace one is. Routes live in the hash, because the paths of
 * this origin are the API's.
 */
export type Route =
  | { readonly view: 'issues'; readonly issueId: string | null }
  | { readonly view: 'app'; readonly appId: string | null }
  | { readonly view: 'inspector'; readonly exchangeId: string | null }
  | { readonly view: 'playground'; readonly exchangeId: string | null }
  | { readonly view: 'checks'; readonly appId: string | null }
  | { readonly view: 'faults' }
  | { readonly view: 'api' }

/** The route that a hash such as `#/issues/iss_1` names; the list of issues for any other. */
export function parseRoute(hash: string): Route {
  const [view = '', id = null] = hash
    .replace(/^#?\/?/, '')
    .split('/')
    .map(decode)
  switch (view) {
    case 'inspector':
    case 'playground':
      return { view, exchangeId: id }
    case 'checks':
      return { view, appId: id }
    case 'faults':
    case 'api':
      return { view }
    case 'apps':
      return { view: 'app', appId: id === 'new' ? null : id }
    default:
      return { view: 'issues', issueId: view === 'issues' ? id : null }
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** A hash for a link: `hashOf('issues', 'iss_1')` → `#/issues/iss_1`. */
export function hashOf(view: string, id?: string): string {
  return id === undefined ? `#/${view}` : `#/${view}/${encodeURIComponent(id)}`
}

const hash = signal(location.hash)
addEventListener('hashchange', () => {
  hash.value = location.hash
})

/** The current route. */
export const route = computed(() => parseRoute(hash.value))

/** Goes somewhere, as a click on a link does. */
export function go(to: string): void {
  location.hash = to
}
