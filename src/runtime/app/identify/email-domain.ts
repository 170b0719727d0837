/** Matches characters that a URL parser would drop, decode or treat as another part of a URL. */
const NO_HOST = /[\p{Cc}\p{Cf}\p{Z}/\\?#@:%[\]]/u

const HOST = /^(?=.{1,253}$)[a-z\d_-]{1,63}(?:\.[a-z\d_-]{1,63})*$/

/** One quoted string: a quote inside it is escaped. */
const QUOTED = /^"(?:[^"\\]|\\.)*"$/

/** Matches a soft hyphen, a zero-width space, a word joiner and a byte order mark. */
const INVISIBLE = /[\u00AD\u200B\u2060\uFEFF]/g

const trim = (email: string) => email.replaceAll(INVISIBLE, '').trim()

/**
 * Returns an email address trimmed, without invisible characters, in lowercase, and with an
 * internationalized domain in punycode; `undefined` for a blank one.
 */
export function normalizeEmail(email: string | undefined): string | undefined {
  const shown = trim(email ?? '')
  const at = shown.lastIndexOf('@') + 1
  const domain = shown.slice(at)
  const punycode = at > 0 && /[^\0-\x7F]/.test(domain) ? normalizeDomain(domain) : undefined
  return toLowerCase(shown.slice(0, at) + (punycode ?? domain)) || undefined
}

/**
 * Returns a text in lowercase as `lower()` of PostgreSQL does, one character at a time. Only the
 * Kelvin sign and the dotted capital I stay, because their ASCII letters may be the address of
 * a different customer.
 */
function toLowerCase(text: string): string {
  return text.replaceAll(/[A-Z\u0080-\u{10FFFF}]/gu, (letter) => {
    const lower = letter.toLowerCase()
    const isOther = letter > '\x7F' && (lower <= '\x7F' || lower.length !== letter.length)
    return isOther ? letter : lower
  })
}

/**
 * Returns the host of an email address, in lowercase and punycode, or `undefined`
 * if the text is not clearly an address at a domain.
 */
export function emailDomain(text: string): string | undefined {
  const email = trim(text)
  const at = email.lastIndexOf('@')
  const local = email.slice(0, Math.max(at, 0))
  // Unless the local part is quoted, a quote or another @ means that this is not one address.
  if (local === '' || (/["@]/.test(local) && !QUOTED.test(local))) return undefined
  return normalizeDomain(email.slice(at + 1))
}

/** Returns a domain in lowercase and punycode; `undefined` if it is not one. */
export function normalizeDomain(domain: string): string | undefined {
  if (NO_HOST.test(domain)) return undefined
  try {
    const host = new URL(`https://${domain}`).hostname.replace(/\.$/, '')
    // The URL parser turns a number into an IPv4 address, which is not a domain.
    return HOST.test(host) && !/\.\d+$|^\d+$/.test(host) ? host : undefined
  } catch {
    return undefined
  }
}

/** Providers with a domain per country: `yahoo.co.uk`, `gmx.at`, `hotmail.fr`. */
const FAMILIES =
  /(?:^|\.)(?:aol|gmx|googlemail|hotmail|live|msn|outlook|windowslive|yahoo|yandex|ymail|zoho|zohomail)\.(?:[a-z]{2,3}|com?\.[a-z]{2})$/

/** Other providers, relays and disposable addresses, separated by spaces. */
const DOMAINS =
  ' 10minutemail.com 126.com 139.com 163.com 1und1.de abv.bg aim.com alice.it aliyun.com anonaddy.me arcor.de att.net bbox.fr bell.net bellsouth.net bigpond.com bigpond.net.au bk.ru blueyonder.co.uk bluewin.ch bol.com.br btinternet.com btopenworld.com centrum.cz centurylink.net charter.net chello.at comcast.net cox.net daum.net docomo.ne.jp duck.com earthlink.net email.com ezweb.ne.jp fastmail.com fastmail.fm foxmail.com free.fr freenet.de frontier.com globo.com gmail.com guerrillamail.com hanmail.net hetnet.nl hey.com hushmail.com i.ua icloud.com ig.com.br iinet.net.au inbox.ru interia.pl internet.ru juno.com kakao.com keemail.me kpnmail.nl laposte.net libero.it list.ru mac.com mail.com mail.ru mailbox.org mailinator.com me.com mozmail.com nate.com naver.com neuf.fr nifty.com ntlworld.com o2.co.uk o2.pl onet.pl online.de optonline.net optusnet.com.au orange.fr planet.nl pm.me posteo.de privaterelay.appleid.com proton.me protonmail.ch protonmail.com qq.com rambler.ru rediffmail.com rocketmail.com rogers.com rr.com sbcglobal.net seznam.cz sfr.fr shaw.ca simplelogin.com sina.cn sina.com sky.com skynet.be softbank.ne.jp sohu.com sympatico.ca t-online.de talktalk.net telenet.be telus.net terra.com.br tin.it tiscali.co.uk tiscali.it tuta.com tuta.io tutamail.com tutanota.com tutanota.de ukr.net uol.com.br verizon.net videotron.ca virgilio.it virginmedia.com vodafone.de wanadoo.fr web.de windstream.net wp.pl xs4all.nl xtra.co.nz ya.ru yeah.net yopmail.com ziggo.nl '

/**
 * Returns whether a domain belongs to a public mail provider, where an address
 * does not identify a company. Subdomains of a provider count as the provider.
 *
 * @param domain lowercase, in punycode
 * @param more additional domains of providers, as written in the options
 */
export function isPublicEmailDomain(domain: string, more: readonly string[]): boolean {
  if (FAMILIES.test(domain)) return true
  for (let rest = domain; rest !== ''; rest = findParent(rest)) {
    if (DOMAINS.includes(` ${rest} `)) return true
  }
  return more.some((name) => isWithin(domain, name.replace(/^@/, '').toLowerCase()))
}

function isWithin(domain: string, name: string): boolean {
  // Only other names change when they are converted to punycode, and the conversion is expensive.
  const provider = /^[a-z\d._-]+$/.test(name) ? name.replace(/\.$/, '') : normalizeDomain(name)
  return provider !== undefined && (domain === provider || domain.endsWith(`.${provider}`))
}

function findParent(domain: string): string {
  const dot = domain.indexOf('.')
  return dot < 0 ? '' : domain.slice(dot + 1)
}
