import { computed, signal } from '@preact/signals'
import { decodePercent } from '../../internal/decode-percent.ts'

/** The views of the workspace, with their names. */
export const VIEWS = {
  issues: 'Sidebar',
  sidebar: 'Sidebar only',
  states: 'States',
  apps: 'App',
  inspector: 'Requests',
  playground: 'Playground',
  api: 'API',
} as const

/** A view of the workspace. */
export type View = keyof typeof VIEWS

/**
 * A route of the workspace. Routes are in the fragment, because the paths of this
 * origin belong to the API.
 */
export interface Route {
  readonly view: View
  /** The open issue, request or app; null if the fragment names none. */
  readonly id: string | null
  /** The rest of the state, such as the customer and custom IDs. */
  readonly query: URLSearchParams
}

/**
 * Parses a fragment such as `#/issues/iss_1?state=Nobody`. Unknown views
 * lead to the issues.
 */
export function parseRoute(fragment: string): Route {
  const [, path = '', query] = /^#?\/?([^?]*)\??(.*)$/s.exec(fragment) ?? []
  const [name = '', id] = path.split('/').map(decodePercent)
  const isView = Object.hasOwn(VIEWS, name)
  return {
    view: isView ? (name as View) : 'issues',
    id: (isView && id) || null,
    query: new URLSearchParams(query),
  }
}

/** Formats a fragment. It is the inverse of {@link parseRoute}. */
export function formatRoute(view: View, id?: string | null, query?: URLSearchParams): string {
  const path = id === undefined || id === null ? `#/${view}` : `#/${view}/${encodeURIComponent(id)}`
  return query === undefined || query.size === 0 ? path : `${path}?${query}`
}

const fragment = signal('')
let keepRoute: (() => void) | null = null

/** Updates the route when the address bar changes. */
export function listenToAddress(): void {
  fragment.value = location.hash
  addEventListener('hashchange', () => {
    if (keepRoute === null) {
      fragment.value = location.hash
      return
    }
    history.pushState(null, '', fragment.peek() || location.pathname)
    keepRoute()
  })
}

/**
 * Keeps the route while a form has unsaved changes, even if Back is pressed.
 *
 * @param onLeave called instead of leaving the route; null allows leaving again
 */
export function holdRoute(onLeave: (() => void) | null): void {
  keepRoute = onLeave
}

/** The current route. */
export const route = computed(() => parseRoute(fragment.value))

/** Opens a fragment, like a click on a link: a form with unsaved changes keeps the route. */
export function navigate(to: string): void {
  if (keepRoute === null) pushRoute(to)
  else keepRoute()
}

/**
 * Opens a fragment even if a form has unsaved changes, for example because the
 * form applies them. It does not wait for the browser's event, because a key press
 * before that event would use the old route.
 */
export function pushRoute(to: string): void {
  if (to !== location.hash) history.pushState(null, '', to)
  fragment.value = location.hash
}

/** Replaces the current fragment, without an entry in the browser's history. */
export function replaceRoute(to: string): void {
  history.replaceState(null, '', to)
  fragment.value = location.hash
}
