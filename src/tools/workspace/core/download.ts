/** Downloads a text as a file. */
export function downloadText(name: string, text: string, type = 'application/json'): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // If the URL were revoked immediately, the browser might not have read it yet.
  setTimeout(() => {
    URL.revokeObjectURL(url)
  }, 10_000)
}
