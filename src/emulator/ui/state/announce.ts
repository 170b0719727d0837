import { signal } from '@preact/signals'

/** What screen readers are told, and what shows for a moment at the foot of the page. */
export interface Notice {
  readonly id: number
  readonly text: string
  readonly tone: 'plain' | 'bad'
}

const SHOWN_MS = 5_000

/** The notice that is shown now. */
export const notice = signal<Notice | null>(null)

let count = 0

/** Tells what became of something that the user did. */
export function announce(text: string, tone: Notice['tone'] = 'plain'): void {
  count += 1
  const id = count
  notice.value = { id, text, tone }
  setTimeout(() => {
    if (notice.value?.id === id) notice.value = null
  }, SHOWN_MS)
}
