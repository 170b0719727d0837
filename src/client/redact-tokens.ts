const HIDDEN = '[hidden]'

/** At most six characters in a row of a secret remain visible. */
const GRAM_LENGTH = 7

/** Shorter secrets occur inside too many words, so they are only replaced as whole words. */
const MIN_LENGTH_INSIDE_WORDS = 6

/** The maximum number of decoded levels. Text in JSON in JSON is escaped twice. */
const MAX_DECODINGS = 3

/**
 * Replaces secrets in texts from the API: unchanged, in another case, truncated,
 * percent-encoded, or escaped for JSON or HTML. The time is linear in the secrets
 * and the texts, and the memory is linear in the texts.
 *
 * @returns the texts in the same order
 */
export function redactTokens(secrets: Iterable<string>, texts: readonly string[]): string[] {
  const folded = [...new Set([...secrets].map(foldCase))].filter((secret) => secret !== '')
  const views = texts.map(createViews)
  const leaked = findLeakedGrams(folded, views.flat())
  return texts.map((text, index) => {
    const hidden = new Uint8Array(text.length)
    for (const view of views[index] ?? []) {
      markGrams(view, leaked, hidden)
      for (const secret of folded) markShortSecret(view, secret, hidden)
    }
    return replaceHidden(text, hidden)
  })
}

/** A text with some of its escapes undone. */
interface View {
  readonly text: string
  /** The start of each character in the original text, followed by the original's length. */
  readonly starts: Uint32Array
}

/**
 * Returns the text unchanged, and decoded once, twice and so on, as long as
 * decoding changes it.
 */
function createViews(text: string): readonly View[] {
  const starts = Uint32Array.from({ length: text.length + 1 }, (_, index) => index)
  const views: View[] = [{ text: foldCase(text), starts }]
  for (let count = 0; count < MAX_DECODINGS; count += 1) {
    const view = views[count]!
    const decoded = decode(view)
    if (decoded.text.length === view.text.length) break
    views.push(decoded)
  }
  return views
}

const ESCAPE =
  /\\u([\da-f]{4})|\\(["\\/])|%([\da-f]{2})|&#x([\da-f]{1,4});|&#(\d{1,5});|&(amp|lt|gt|quot|apos);/g

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

function decode({ text, starts }: View): View {
  const parts: string[] = []
  const decodedStarts: number[] = []
  let end = 0
  const copyUntil = (index: number) => {
    parts.push(text.slice(end, index))
    for (let at = end; at < index; at += 1) decodedStarts.push(starts[at] ?? 0)
  }
  for (const {
    0: escape,
    1: unicode,
    2: json,
    3: percent,
    4: hex,
    5: decimal,
    6: name,
    index,
  } of text.matchAll(ESCAPE)) {
    copyUntil(index)
    const code = unicode ?? percent ?? hex
    const character =
      json ??
      ENTITIES[name ?? ''] ??
      String.fromCharCode(code === undefined ? Number(decimal) : Number.parseInt(code, 16))
    parts.push(foldCase(character))
    decodedStarts.push(starts[index] ?? 0)
    end = index + escape.length
  }
  copyUntil(text.length)
  decodedStarts.push(starts.at(-1) ?? 0)
  return { text: parts.join(''), starts: Uint32Array.from(decodedStarts) }
}

/** Only ASCII letters are folded, because others may change their length. */
function foldCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** Returns the grams that occur in both a secret and a text. */
function findLeakedGrams(secrets: readonly string[], views: readonly View[]): ReadonlySet<string> {
  const present = new Set<string>()
  for (const { text } of views) for (const gram of collectGrams(text)) present.add(gram)
  const leaked = new Set<string>()
  for (const secret of secrets) {
    for (const gram of collectGrams(secret)) if (present.has(gram)) leaked.add(gram)
  }
  return leaked
}

function* collectGrams(text: string): Generator<string, void, void> {
  for (let start = 0; start + GRAM_LENGTH <= text.length; start += 1) {
    yield text.slice(start, start + GRAM_LENGTH)
  }
}

function markGrams({ text, starts }: View, leaked: ReadonlySet<string>, hidden: Uint8Array): void {
  if (leaked.size === 0) return
  let start = 0
  for (const gram of collectGrams(text)) {
    if (leaked.has(gram)) hidden.fill(1, starts[start], starts[start + GRAM_LENGTH])
    start += 1
  }
}

function markShortSecret({ text, starts }: View, secret: string, hidden: Uint8Array): void {
  if (secret.length >= GRAM_LENGTH) return
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
    const end = at + secret.length
    const isInsideWord = isAlphanumeric(text[at - 1]) || isAlphanumeric(text[end])
    if (secret.length < MIN_LENGTH_INSIDE_WORDS && isInsideWord) continue
    hidden.fill(1, starts[at], starts[end])
  }
}

function isAlphanumeric(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character)
}

/** Replaces each run of hidden characters. */
function replaceHidden(text: string, hidden: Uint8Array): string {
  let shown = ''
  let end = 0
  for (let start = hidden.indexOf(1); start >= 0; start = hidden.indexOf(1, end)) {
    shown += text.slice(end, start) + HIDDEN
    const next = hidden.indexOf(0, start)
    end = next < 0 ? text.length : next
  }
  return shown + text.slice(end)
}
