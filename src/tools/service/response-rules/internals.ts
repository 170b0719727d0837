import { findStackTrace } from './stack-trace.ts'

/** Matches error messages of databases and their drivers. */
export const DATABASE_ERROR =
  /\b(?:SQLITE_[A-Z]{3,30}|SQLSTATE)\b|\bORA-\d{5}: |\bno such (?:table|column): \w|near "[^"]{1,80}": syntax error|You have an error in your SQL syntax|(?:relation|column|FATAL: {1,3}(?:role|database)) "[^"]{1,80}" does not exist|syntax error at or near|duplicate key value violates unique constraint|\bTable '[^']{1,80}' doesn't exist|\bpassword authentication failed for user|\bno pg_hba\.conf entry for|\bconnection to server (?:at|on) "|\bAccess denied for user '[^']{0,80}'@'|\bCan't connect to (?:local )?MySQL server|\bUnknown column '[^']{1,80}' in '|\bMongo(?:Server|Network|ServerSelection)Error\b|\bE11000 duplicate key|\b(?:NOAUTH|WRONGTYPE|MISCONF) [A-Z][a-z]/

/** Internals of servers. People write the words of SQL in lowercase, and without its punctuation. */
const INTERNALS: Readonly<Record<string, RegExp>> = {
  'a query in SQL':
    /\bSELECT\s[^;]{1,300}\sFROM\s+[\w"`[]|\bINSERT INTO\s+[\w"`[]|\bDELETE FROM\s+[\w"`[]|\bUPDATE\s+[\w"`.[\]]{1,80}\s+SET\s|\bselect\s(?:\*|["`][^;]{1,300})\sfrom\s+[\w"`[]/,
  'an error message of a database': DATABASE_ERROR,
  'an error message of a file system':
    /\b(?:ENOENT|EACCES|EPERM|EISDIR|ENOTDIR|EEXIST|EROFS|ENOSPC|EMFILE)\b[^\n]{0,120}['" ](?:\/|[A-Z]:\\)[\w.-]|\b(?:No such file or directory|Permission denied|Is a directory)\b[^\n/]{0,40}(?:\/[\w.-]{1,80}){2}|(?:\/[\w.-]{1,80}){2}['")]{0,2}[:,]? \(?(?:[Nn]o such file or directory|[Pp]ermission denied|[Ii]s a directory)\b|\bCould not find (?:file|a part of the path) '(?:\/|[A-Z]:\\)|\bNoSuchFileException: \/|\b[Ff]ailed to open stream: /,
  'an error message of a library':
    /\b(?:[a-z]\w{0,40}\.){2,8}[A-Z]\w{0,80}(?:Exception|Error)\b|\bNo enum constant [\w.]|\bURLDecoder: |\bHikariPool-\d|\bFailed to convert value of type '|\bcannot be cast to (?:class )?\w|\btemplate: [\w./-]{1,80}:\d{1,6}:(?:\d{1,6}:)? executing |\bjson: cannot unmarshal |\bsql: (?:Scan error|expected \d)|\bDBD::\w{1,30}::\w|\bcharacter offset \d{1,9} \(before "|\bData truncation: |\bIncorrect string value: /,
  'the address of a database': /\bdbi:\w{1,20}:\w{1,40}=|\bjdbc:\w{2,20}:\/\/\w/,
  'an error message about a connection':
    /\b(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH) [\w.:-]{1,120}:\d|\bgetaddrinfo E\w+ [\w.-]|\bdial tcp [\w.:[-]|\bMax retries exceeded with url: |\bFailed to connect to \S{1,120} port \d/,
  'a page of debug mode':
    /\bseeing this error because you have (?:<code>)?(?:DEBUG|enabled the)\b|\bUsing the URLconf defined in\b|<title>[\w.]{1,120} at (?:[A-Z]{3,7} )?\/|\bAction Controller: Exception caught|\bRails\.root: \S|\bvendor\/laravel\/framework\/|\bSymfony Exception\b|<title>Whoops! There was an error|\bWerkzeug Debugger\b|__debugger__=|<b> ?(?:Source File|Stack Trace): ?<\/b>|<h1>An unhandled exception occurred while processing|\bStarlette Debugger\b|\bPhoenix\.Router\.NoRouteError\b/,
  'a line of a source file':
    /\b[A-Z]\w{0,80}\.(?:java|kt|scala|groovy):\d{1,6}\b|(?<![\w./~:@-])(?:(?:\/[\w.@+-]{1,80}){2,20}|[A-Z]:\\[^\s:"'<>]{1,200})\.(?:py|rb|php|pl|go|rs|java|kt|cs|vb|exs?|[cm]?[jt]sx?)(?:['"]?[:(]\d+|['"]?,? (?:on )?line \d+)/,
}

function decodeBase64(code: string): string {
  try {
    return atob(code.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return ''
  }
}

/** Finds internals of a server in a text. */
export function findInternals(text: string): string | undefined {
  const language = findStackTrace(text)
  if (language !== undefined) return `a stack trace (${language})`
  return Object.entries(INTERNALS).find(([, pattern]) => pattern.test(text))?.[0]
}

/** Finds internals of a server in base64 in a text. */
export function findEncodedInternals(text: string): string | undefined {
  const [code = ''] = /(?<![\w+/=-])[\w+/-]{60,20000}={0,2}(?![\w+/=-])/.exec(text) ?? []
  return findInternals(decodeBase64(code))
}

/** Matches a private address, which could be a version without these marks, or an internal host. */
const HOST =
  /(?:\/\/|@|(?:host|addr|upstream|backend|server|node|pod|served)[\w-]*"?\s?[:=]\s?"?|(?<![\w./-])(?=[\d.]+:\d\d))(?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d{1,3}\.\d{1,3}(?![\w.-])|(?:\/\/|(?<![\w.-])(?!(?:com|org|net|io)\.)[\w-]{1,63}\.)(?:[\w-]{1,63}\.){1,9}(?:internal|local|localdomain|corp|lan|intranet)(?![\w.-])/

/** Headers about the service, the caller or its proxy, whose hosts may be internal. */
const ABOUT_OTHERS =
  /^(?:via|x-cache|x-squid|content-security|access-control|timing-allow|permissions|report|nel$|x-frame|x-envoy)|version|client|forwarded|real-ip|remote/

/** Finds internals in a header. An endpoint whose own host is internal may name internal hosts. */
export function findInHeader(name: string, value: string, host: string): string | undefined {
  if (/\barn:aws[\w-]*:(?:iam|sts)::\d{12}:(?:assumed-)?role\//.test(value)) return 'a role in AWS'
  if (/\/_profiler\/\w/.test(value)) return 'a link to a page of debug mode'
  const isForeign = ABOUT_OTHERS.test(name) || HOST.test(`//${host}`)
  return !isForeign && HOST.test(`${name}: ${value}`) ? 'an internal host' : findInternals(value)
}
