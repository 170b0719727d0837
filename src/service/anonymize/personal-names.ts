/**
 * Names are found by their place, because a word alone does not show that it is a
 * name: next to a label such as “Account owner”, or inside an email address.
 */

/** The last word of a label or a key whose value is the name of a person or a company. */
const NAME_LABEL =
  /(?:^|[^\p{L}])(?:names?|account|agent|assignee|author|business|buyer|client|company|contact|customer|employee|firm|member|manager|organi[sz]ation|owner|person|recipient|reporter|representative|requester|seller|sender|user|username|vendor)s?[^\p{L}]*$/iu

/** Parts of company names and email addresses that do not identify anyone. */
const COMMON_WORDS = new Set(
  `ab ag and as bv co com company corp corporation de der die example gmbh group holding inc io kg
  limited llc llp ltd mr mrs ms dr net nv of org oy plc pty sa sarl sas spa srl the und van von
  unknown none yes no
  accounting accounts admin billing care contact customer finance hello help info invoice invoices
  mail no-reply noreply office orders reply sales security service support team test user
  gmail googlemail hotmail icloud live outlook proton protonmail yahoo aol gmx web`.split(/\s+/),
)

/** Words of titles that do not identify anyone. */
const TITLE_WORDS = new Set(
  `about account active activity address addresses agreement alerts all analytics api app apps asset
  assets balance bills calls card cards cart charges chat checks communication companies company
  connections contract contracts credit credits current customers data dashboard delivery deliveries
  deployments detail details devices discounts documents domains emails entitlements environment
  environments error errors events failed features feedback files flags for health history identity
  in incidents information integrations internal issue issues items keys last latest license licenses
  limits links location log logins logs membership messages metrics more new next notes notifications
  of on open operations orders other our overview owner packages past payment payments people plan
  plans preferences pricing product products profile projects purchase purchases quota quotas recent
  references refunds related renewal renewals reports requests returns revenue risk roles score seats
  sessions settings shipment shipments shipping sites source sources statistics stats status
  subscription subscriptions summary surveys tags tasks technical tickets timeline to today top
  transactions trial upcoming usage users usages version visits warnings webhooks with workspace
  workspaces your`.split(/\s+/),
)

/** Matches an email address in text. It is bounded, so that a long run of letters costs little. */
export const EMAIL = String.raw`[\p{L}\p{N}.!#$&'*+/=?^_{|}~-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+`

const EMAILS = new RegExp(EMAIL, 'gu')

function findAddresses(text: string): readonly string[] {
  return text.includes('@') ? (text.match(EMAILS) ?? []) : []
}

/**
 * Extracts the words of names in a JSON value, in lowercase. They are replaced
 * everywhere.
 *
 * @param keepList titles that are not names, in lowercase
 */
export function extractNames(value: unknown, keepList: ReadonlySet<string>): ReadonlySet<string> {
  const words = new Set<string>()
  const add = (word: string) => words.add(word.toLowerCase())
  visit(value, (text, label) => {
    for (const address of findAddresses(text)) splitAddress(address).forEach(add)
    if (label === TITLE && !keepList.has(text.toLowerCase())) splitTitle(text).forEach(add)
    else if (label !== undefined && NAME_LABEL.test(label)) splitName(text).forEach(add)
  })
  return words
}

const TITLE = 'title'

/** Returns the titles in a JSON value. */
export function findTitles(value: unknown): readonly string[] {
  const titles: string[] = []
  visit(value, (text, label) => {
    if (label === TITLE && text !== '') titles.push(text)
  })
  return titles
}

/**
 * Calls `visit` with each string and its label, which is the `label` field next
 * to it or else its key.
 */
function visit(value: unknown, found: (text: string, label?: string) => void, label?: string) {
  if (typeof value === 'string') found(value, label)
  else if (Array.isArray(value)) for (const item of value) visit(item, found, label)
  else if (typeof value === 'object' && value !== null) {
    const own = 'label' in value && typeof value.label === 'string' ? value.label : label
    for (const [key, child] of Object.entries(value)) {
      visit(child, found, key === 'value' || key === 'items' ? own : splitCamelCase(key))
    }
  }
}

/** `customerName` → `customer Name`. */
function splitCamelCase(key: string): string {
  return key.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
}

function splitName(text: string): string[] {
  const words = text.replaceAll(EMAILS, ' ').match(/[\p{L}\p{M}]{2,}/gu) ?? []
  // In scripts with capital letters, a name starts with one; “van” and “plan” are not names.
  return words.filter((word) => !/^\p{Ll}/u.test(word) && !COMMON_WORDS.has(word.toLowerCase()))
}

/** A title in lowercase can be a name as well. */
function splitTitle(text: string): string[] {
  const words = /\p{Lu}/u.test(text) ? splitName(text) : splitName(text.toUpperCase())
  return words.filter((word) => !TITLE_WORDS.has(word.toLowerCase()))
}

function splitAddress(address: string): string[] {
  const [local = '', host = ''] = address.split('@')
  const parts = [local, ...host.split('.').slice(0, -1)].flatMap((part) =>
    part.split(/[^\p{L}\p{M}]+/u),
  )
  return parts.filter((part) => part.length >= 3 && !COMMON_WORDS.has(part.toLowerCase()))
}
