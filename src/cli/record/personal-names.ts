/**
 * Names cannot be known from their form, only from where they stand: beside a
 * label such as “Account owner”, or inside an e-mail address.
 */

/** The last word of a label or a key whose value is somebody's name, or a company's. */
const NAMING =
  /(?:^|[^\p{L}])(?:names?|account|agent|assignee|author|business|buyer|client|company|contact|customer|employee|firm|member|manager|organi[sz]ation|owner|person|recipient|reporter|representative|requester|seller|sender|user|username|vendor)s?[^\p{L}]*$/iu

/** Parts of a company's name or an address that say nothing about whose it is. */
const COMMON = new Set(
  `ab ag and as bv co com company corp corporation de der die example gmbh group holding inc io kg
  limited llc llp ltd mr mrs ms dr net nv of org oy plc pty sa sarl sas spa srl the und van von
  unknown none yes no
  accounting accounts admin billing care contact customer finance hello help info invoice invoices
  mail no-reply noreply office orders reply sales security service support team test user
  gmail googlemail hotmail icloud live outlook proton protonmail yahoo aol gmx web`.split(/\s+/),
)

/** An e-mail address, wherever it stands; bounded, so that a long run of letters costs little. */
export const EMAIL = String.raw`[\p{L}\p{N}.!#$&'*+/=?^_{|}~-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+`

/** The words of names in a JSON value, in lower case: none may be kept, wherever it stands. */
export function namesIn(value: unknown): ReadonlySet<string> {
  const words = new Set<string>()
  const add = (word: string) => words.add(word.toLowerCase())
  visit(value, (text, label) => {
    for (const [address] of text.matchAll(new RegExp(EMAIL, 'gu'))) {
      wordsOfAddress(address).forEach(add)
    }
    if (label !== undefined && NAMING.test(label)) wordsOfName(text).forEach(add)
  })
  return words
}

/** Calls back with each string, and what it is labelled with: its key, or the label beside it. */
function visit(value: unknown, found: (text: string, label?: string) => void, label?: string) {
  if (typeof value === 'string') found(value, label)
  else if (Array.isArray(value)) for (const item of value) visit(item, found, label)
  else if (typeof value === 'object' && value !== null) {
    const own = 'label' in value && typeof value.label === 'string' ? value.label : label
    for (const [key, child] of Object.entries(value)) {
      visit(child, found, key === 'value' || key === 'items' ? own : spaced(key))
    }
  }
}

/** `customerName` → `customer Name`. */
function spaced(key: string): string {
  return key.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
}

function wordsOfName(text: string): string[] {
  const words = text.replaceAll(new RegExp(EMAIL, 'gu'), ' ').match(/[\p{L}\p{M}]{2,}/gu) ?? []
  // A name begins with a capital, where its script has any; “van” and “plan” do not.
  return words.filter((word) => !/^\p{Ll}/u.test(word) && !COMMON.has(word.toLowerCase()))
}

function wordsOfAddress(address: string): string[] {
  const [local = '', host = ''] = address.split('@')
  const parts = [local, ...host.split('.').slice(0, -1)].flatMap((part) =>
    part.split(/[^\p{L}\p{M}]+/u),
  )
  return parts.filter((part) => part.length >= 3 && !COMMON.has(part.toLowerCase()))
}
