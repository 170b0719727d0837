import { notify } from './notify.ts'

/** Copies a text and shows a notice. Resolves to false if the browser did not allow it. */
export async function copyText(text: string, label: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    notify(`Could not copy the ${label}. Select and copy it manually.`, 'bad')
    return false
  }
  notify(`Copied the ${label}`)
  return true
}
