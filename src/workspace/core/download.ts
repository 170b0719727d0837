/** Downloads a JSON text as a file. */
export function downloadJson(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // If the URL were revoked immediately, the browser might not have read it yet.
  setTimeout(() => {
    URL.revokeObjectURL(url)
  }, 10_000)
}
