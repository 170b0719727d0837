/** Matches the strings and the punctuation of JSON. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/gs

/** Returns the first name that occurs twice in an object of a valid JSON text, if any. */
export function findDuplicateKey(json: string): string | undefined {
  const objects: Array<Set<string> | undefined> = []
  let last = ''
  for (const [token] of json.matchAll(TOKENS)) {
    if (token === '{') objects.push(new Set())
    else if (token === '[') objects.push(undefined)
    else if (token === '}' || token === ']') objects.pop()
    else if (token === ':') {
      const name = String(JSON.parse(last))
      if (objects.at(-1)?.has(name) === true) return name
      objects.at(-1)?.add(name)
    }
    last = token
  }
  return undefined
}
