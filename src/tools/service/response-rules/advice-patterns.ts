import { isActionLink } from '../../internal/action-link.ts'
import { DATABASE_ERROR, findInternals } from './internals.ts'

/** The maximum number of characters that are searched. */
const MAX_SEARCHED = 5_000

/** Objects that were converted to a string, by language. */
const OBJECTS: readonly RegExp[] = [
  // JavaScript and JSON
  /\[object \w{1,40}\]|\bPromise \{ |^(?:async )?function\b[^{\n]{0,80}\{|\bInvalid Date\b|\b(?:Map|Set)\(\d+\) \{|<Buffer(?: [\da-f]{2})+|^Symbol\(|^(?:async )?\([\w ,]{0,80}\) => |^\{"[^"]{1,80}":|^\["/,
  // Go
  /%!\w?\((?:MISSING|(?:EXTRA )?[\w.*[\]]{1,40}=)[^)]{0,80}\)?|<nil>|<no value>|\bmap\[\w{1,40}:|^&\{\S|^\{[A-Z]\w{0,40}:|\b0xc0[\da-f]{8}\b| m=[+-]\d{1,12}\.\d|\d \+\d{4} UTC\}?$/,
  // Ruby, Elixir and Perl
  /#<(?:[A-Z][\w:]{0,80}[: ]|struct )|\{:?["\w]{1,40} ?=> ?|, (?:nil|null)[,\])]|^:[a-z]\w{0,60}$|%\{\w{1,40}: |\b(?:HASH|ARRAY|CODE|SCALAR)\(0x/,
  // Python
  /<[\w.]{1,80} object(?: [\w.<>]{1,80})? at 0x[\da-f]{4,16}>|<\w{1,80}\.\w{1,80}: [^<>]{1,80}>|<(?:class '|(?:built-in )?function )|[{[]'[^']{0,80}'(?:[:,] |\])|\('[^']{0,80}', |, None[,\])]|\b(?:Decimal|OrderedDict|UUID|datetime\.\w{1,20})\(['([{\d]|^b'[^']{0,200}'$/,
  // Rust, Swift, Scala, Haskell, Erlang, Dart and PHP
  /^[A-Z]\w{0,60} ?\{ ?\w{1,40}(?:: | = )|^(?:Some|Just|Ok|Right|Left|Optional|List|Vector|Set|Map)\((?=.*"|.* -> )|^Just "|<<"[^"]{0,80}">>|#\{\w{1,40} => |<\d{1,5}\.\d{1,5}\.\d{1,5}>|#(?:PID|Function|Reference|Port|DateTime|Decimal)<|%[A-Z][\w.]{0,60}\{|~[UDNT]\[\d|^\{:?(?:ok|error),|^[A-Z]\w{0,60}\(\w{1,40}: |^\{\w{1,40}: [^{}]{1,200}\}$|\bInstance of '\w{1,60}'|^(?:Object|Resource) id #\d/,
  // Java, Kotlin, Scala, .NET, Rust and PHP
  /^(?:Optional\.empty|kotlin\.Unit|(?:Some|Err|Right|Left|List|Vector|Set|Map)\(.{1,200}\))$|^[A-Z]\w{0,60}\[\w{1,40}=|^\{\w{1,40}=[^{}]{0,200}\}$|^\[[BCDFIJSZ]@[\da-f]{1,8}$|^System\.(?:[A-Z]\w{0,60}\.){0,4}[A-Z]\w{0,60}(?:\[\])?$|^[aOs]:\d{1,6}:[{"]|(?:\b|\[L)(?:[a-z]\w{0,30}\.){2,6}[A-Z]\w{0,60}(?:@[\da-f]{1,8}\b|;@)|^(?:Optional\[|(?:Some|Ok|Err)\((?:"|\d+\)$))|^[A-Z]\w{0,60}\(\w{1,40}=|\w`\d\[|\bstdClass Object\b/,
]
/** Placeholders of templates and formats that were not filled in. */
const TEMPLATE =
  /\{\{[^{}]{1,80}\}|\{%[^{}]{1,80}%\}|<%[=-]?\s|[$#%]\{[\w.]{1,80}\}|\{\w{1,40}(?:\.\w{1,40})+\}|(?<!\w)\{(?:\d|[a-z]+_[a-z_]{1,40}|name)\}|%\(\w{1,40}\)[a-z]|(?<![\d%\w])%[sd](?![\w%])|\btranslation missing: \w|^\[missing "|^\$\w{1,40}\$$|^@\w{1,40}@$|\[\[\w[\w. ]{0,60}\]\]/
/** UTF-8 that was decoded as Latin-1, a replaced character, a control character or a changed direction. */
const BROKEN =
  /[ÃÂ][\u0080-\u00BF]|[ÐÑ][\u0080-\u009F\u00A1-\u00BF]|â(?:€|‚¬|„¢)|[\uFFFD\u202D\u202E]|\p{Cs}|(?!\s)\p{Cc}|\\u[\da-f]{4}/u
/** A number with the error of binary fractions, in scientific notation, or of a wrong duration. */
const NUMBER =
  /(?<![\w.])\d{1,15}\.\d{0,12}(?:0{6}|9{6})\d{1,6}(?!\d)|(?<![\w.])\d\.\d{1,20}[Ee][+-]?\d{1,3}(?!\w)|-?\d{4,}h\d{1,2}m\d/
/** A URL with a password, such as that of a database. */
const PASSWORD_URL = /\b[a-z][\w+.-]{1,30}:\/\/[^/?#\s:@]{0,64}:[^/?#\s@]{1,200}@/i
/** The zero times of Go, .NET and Unix. */
const ZERO_TIME =
  /^(?:0001|1970)-01-01(?:[T ]00:00:00(?:\.0{1,9})?(?:Z|[ +0:]{0,7}(?: UTC)?)?)?$|^0?1[/.]0?1[/.]0001\b/i
/**
 * Matches texts for absent values. PHP prints the last one for an array. A
 * capitalized "None" or "Infinity" alone can be a word or a name.
 */
const ABSENT =
  /^(?:undefined|null|NULL|nan|NaN|NAN|[+-]?(?:[Ii]nf|INF)|-Infinity|nil|None(?=.))(?:[\s,.:/-]+(?:undefined|null|NULL|NaN|None|nil))*$|^Array$/
/** Matches a word in a short text that only code produces. */
const WORD = /(?<![\w'"-])(?:undefined|NaN)(?![\w'"-])/
const SHORT = 60

/** Finds a value that was converted to a string by mistake, or a URL with a password. */
export function findSerializedValue(text: string): string | undefined {
  const trimmed = text.slice(0, MAX_SEARCHED).trim()
  if (PASSWORD_URL.test(trimmed)) return 'a URL with a password'
  for (const pattern of [...OBJECTS, TEMPLATE, BROKEN, NUMBER, ZERO_TIME, ABSENT]) {
    const [found] = pattern.exec(trimmed) ?? []
    if (found !== undefined) return found
  }
  return trimmed.length <= SHORT ? WORD.exec(trimmed)?.[0] : undefined
}

const TAG =
  /<\/?(?:a|abbr|b|blockquote|body|br|code|div|em|font|h[1-6]|head|hr|html|i|iframe|img|input|li|link|meta|ol|p|pre|script|small|span|strong|style|sub|sup|svg|table|tbody|td|th|thead|tr|u|ul)(?:\s[^<>]{0,500})?\/?>/i
const ENTITY = /&(?:[a-z]{2,8}|#\d{1,6}|#x[\da-f]{1,6});/i
const MARKDOWN =
  /\*\*[^\s*][^*]{0,200}\*\*|\[[^[\]]{1,200}\]\(\w+:[^()\s]{1,500}\)|^#{1,6} \S|^```/m

/** Finds HTML or Markdown. */
export function findMarkup(text: string): string | undefined {
  const searched = text.slice(0, MAX_SEARCHED)
  if (TAG.test(searched)) return 'an HTML tag'
  if (ENTITY.test(searched)) return 'an HTML entity'
  return MARKDOWN.test(searched) ? 'Markdown' : undefined
}

const SYSTEM_ERROR =
  /\b(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EPIPE)\b|\bgetaddrinfo\b/
const EXCEPTION =
  /^(?:Uncaught )?(?:[a-z]\w{0,40}\.){0,6}[A-Z]\w{0,60}(?:Error|Exception)\b(?:: |$)|^Error: |Cannot read propert(?:y|ies) of (?:undefined|null)|is not a function$|\n\s+at \S+ \(/m
const ABOUT_ERRORS = /error|exception|failure|incident|crash|log/i
/** Matches labels of lists of errors, which show errors of the customer and not of the endpoint. */
const LIST_OF_ERRORS = /errors|exceptions|failures|incidents|crashes|logs/i

/** Finds an error message. Exception names are allowed if the label is about errors. */
export function findErrorMessage(text: string, context: string): string | undefined {
  const searched = text.slice(0, MAX_SEARCHED)
  if (DATABASE_ERROR.test(searched) && !LIST_OF_ERRORS.test(context)) return 'a database error'
  if (ABOUT_ERRORS.test(context)) return undefined
  const internals = findInternals(searched)
  if (internals !== undefined) return internals.replace(/ \(.*/, '')
  return SYSTEM_ERROR.test(searched) || EXCEPTION.test(searched) ? 'an error message' : undefined
}

const EMAIL = /[^\s/?#&=@]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,8}/i
const TOKEN_PARAMETER =
  /[?&#;](?:access_?token|api[_-]?key|auth|id_?token|jwt|key|password|pwd|secret|j?session(?:_?id)?|(?:x-\w{3,4}-)?sig(?:nature)?|token)=[^&#\s]{8}/i
const KNOWN_TOKEN =
  /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}|\b(?:sk|pk|rk)_(?:live|test)_\w{8}|\bgh[pousr]_\w{20}|\bxox[abprs]-[\w-]{10}|\bAKIA[A-Z\d]{16}\b/

/**
 * Finds a password, an email address or a token in the URL of a link. The address of a
 * `mailto:` URL is allowed, and so is the encrypted token of an action.
 */
export function findUrlData(url: string): string | undefined {
  if (isActionLink(url)) return undefined
  const searched = url.slice(0, MAX_SEARCHED)
  if (PASSWORD_URL.test(searched)) return 'a password'
  if (TOKEN_PARAMETER.test(searched) || KNOWN_TOKEN.test(searched)) return 'a token'
  if (/^mailto:/i.test(searched)) return undefined
  return EMAIL.test(withoutHost(searched).replaceAll(/%40/gi, '@')) ? 'an email address' : undefined
}

/** Removes the host with its user name, which is not an email address. */
function withoutHost(url: string): string {
  return url.replace(/^[\w+.-]+:\/\/[^/?#]*/, '')
}

/** Matches a social security number next to its name. */
const SSN =
  /^(?=.*\b(?:SSN|social security)\b).*(?<![\d-])(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}(?![\d-])/is
const PASSWORD_LABEL = /\b(?:password|passwort|kennwort|pwd|passcode)$/i
const NAMED_PASSWORD =
  /\b(?:password|passwort|kennwort|pwd|passcode)\b\s{0,3}(?::|=|\bis\b)\s{0,3}(\S{6,64})/i
/** Matches letters with a digit and a sign or both cases. Dates, states and masked values lack one. */
const PASSWORD = /^(?!.*(?:[*•]{2}|:\/\/))(?=.*[a-z])(?=.*\d)(?:\S*[!@#$%^&+?~]\S*|(?=.*[A-Z])\w*)$/

/** Finds a password or a social security number that agents need not see. */
export function findPersonalData(text: string, context: string): string | undefined {
  const searched = text.slice(0, MAX_SEARCHED)
  if (SSN.test(`${context} ${searched}`)) return 'a social security number'
  const named = PASSWORD_LABEL.test(context) ? searched : NAMED_PASSWORD.exec(searched)?.[1]
  return /^\S{6,64}$/.test(named ?? '') && PASSWORD.test(named ?? '') ? 'a password' : undefined
}
