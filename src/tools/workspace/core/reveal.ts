/**
 * Scrolls a list so that one of its elements is visible. `scrollIntoView()` would
 * also move the starting point of Tab, which would then miss the skip links.
 */
export function reveal(element: HTMLElement | null, list: string): void {
  const place = element?.getBoundingClientRect()
  const scroller = element?.closest(list)
  if (place === undefined || scroller == null) return
  const { top, bottom, left, right } = scroller.getBoundingClientRect()
  scroller.scrollBy({
    top: Math.min(0, place.top - top) + Math.max(0, place.bottom - bottom),
    left: Math.min(0, place.left - left) + Math.max(0, place.right - right),
    behavior: 'instant',
  })
}
