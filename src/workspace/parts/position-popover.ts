const GAP = 4

/** Positions a popover below its opener, within the window. */
export function positionPopover(floating: HTMLElement | null, opener: HTMLElement | null): void {
  if (floating === null || opener === null) return
  const at = opener.getBoundingClientRect()
  const { offsetWidth, offsetHeight } = floating
  const below = at.bottom + GAP
  const fitsBelow = below + offsetHeight <= innerHeight
  floating.style.top = `${fitsBelow ? below : Math.max(GAP, at.top - GAP - offsetHeight)}px`
  const fitsRight = at.left + offsetWidth + GAP <= innerWidth
  floating.style.left = `${fitsRight ? at.left : Math.max(GAP, at.right - offsetWidth)}px`
}
