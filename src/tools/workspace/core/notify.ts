import { computed, signal } from '@preact/signals'
import { formatRoute, route } from './route.ts'

/** A short message at the bottom of the page, which screen readers announce. */
export interface Notice {
  readonly id: number
  readonly text: string
  readonly tone: 'plain' | 'bad'
  /** The time at which it appeared (`performance.now()`). */
  readonly at: number
}

const SHOWN_MS = { plain: 4_000, bad: 10_000 } satisfies Record<Notice['tone'], number>

/** How old a notice may be to belong to the action that changed the view. */
const SAME_ACTION_MS = 500

/** The current notice. */
export const notice = signal<Notice | null>(null)

let count = 0

/** Reports the result of a user's action. */
export function notify(text: string, tone: Notice['tone'] = 'plain'): void {
  count += 1
  const id = count
  notice.value = { id, text, tone, at: performance.now() }
  setTimeout(() => {
    if (notice.value?.id === id) notice.value = null
  }, SHOWN_MS[tone])
}

/** Removes the current notice. */
export function dismissNotice(): void {
  notice.value = null
}

const openItem = computed(() => formatRoute(route.value.view, route.value.id))

/** Removes the notice when another view is opened. */
export function dismissOnNavigation(): void {
  openItem.subscribe(() => {
    const current = notice.peek()
    if (current !== null && performance.now() - current.at > SAME_ACTION_MS) notice.value = null
  })
}
