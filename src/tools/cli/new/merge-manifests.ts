type Entries = Readonly<Record<string, unknown>>

/**
 * Adds scripts and packages to a package.json, and keeps its indentation. An
 * entry of the same name is replaced.
 */
export function mergeManifests(
  text: string,
  added: { readonly [Key in string]?: Entries },
): string {
  const merged = JSON.parse(text) as Record<string, Entries | undefined>
  for (const [key, entries = {}] of Object.entries(added)) {
    if (Object.keys(entries).length === 0) continue
    const all = Object.entries({ ...merged[key], ...entries })
    const isSorted = key.endsWith('ependencies')
    merged[key] = Object.fromEntries(isSorted ? all.sort(([a], [b]) => (a < b ? -1 : 1)) : all)
  }
  return `${JSON.stringify(merged, undefined, /^([ \t]+)"/m.exec(text)?.[1] ?? '  ')}\n`
}
