/** Returns whether the texts in a value contain every word of a query. */
export function matches(query: string, value: unknown): boolean {
  if (query.trim() === '') return true
  const text = listTexts(value).join('\n').toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function listTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : []
}
