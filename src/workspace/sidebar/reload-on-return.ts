import { loadWidgets } from './widgets.ts'

let isWaiting = false

/** Loads the widgets when the developer comes back from the page of an action, which may have changed something. */
export function reloadOnReturn(): void {
  if (isWaiting) return
  isWaiting = true
  const reload = () => {
    isWaiting = false
    void loadWidgets()
  }
  window.addEventListener('focus', reload, { once: true })
}
