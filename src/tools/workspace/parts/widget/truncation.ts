import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { showsTruncation } from '../../core/preferences.ts'

/** Marks and counts the truncated texts in a part of the page while the overlay is on. */
export function useTruncation(container: RefObject<HTMLElement | null>): number {
  const [count, setCount] = useState(0)
  const isOn = showsTruncation.value
  useEffect(() => {
    const root = container.current
    if (root === null || !isOn) return undefined
    let frame = 0
    const look = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => {
        setCount(mark(root))
      })
    }
    const changes = new MutationObserver(look)
    const sizes = new ResizeObserver(look)
    changes.observe(root, { childList: true, subtree: true, characterData: true })
    sizes.observe(root)
    look()
    return () => {
      cancelAnimationFrame(frame)
      changes.disconnect()
      sizes.disconnect()
      unmark(root)
    }
  }, [isOn])
  return isOn ? count : 0
}

function mark(root: HTMLElement): number {
  let count = 0
  for (const element of root.querySelectorAll<HTMLElement>('.cut, .clamp')) {
    const isCut =
      element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight + 1
    element.toggleAttribute('data-is-cut', isCut)
    if (isCut) {
      count += 1
      element.title = `Truncated: ${element.dataset['path'] ?? ''}\n${element.textContent ?? ''}`
    } else if (element.title.startsWith('Truncated: ')) {
      element.removeAttribute('title')
    }
  }
  return count
}

function unmark(root: HTMLElement): void {
  for (const element of root.querySelectorAll<HTMLElement>('[data-is-cut]')) {
    element.removeAttribute('data-is-cut')
    element.removeAttribute('title')
  }
}
