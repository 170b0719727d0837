import { isArray, readProperty } from './hostile-values.ts'

/**
 * The key of a request's Node message, which a host sets. It is global, because
 * the host and the app may use two copies of the package.
 */
export const INCOMING: unique symbol = Symbol.for('sidecard.incoming') as never

/** Returns the path of the request line, without its query, before anything normalized it. */
export function readRawPath(request: globalThis.Request): string {
  const { url } = request
  const raw = readProperty(readProperty(request, INCOMING), 'url')
  const target = typeof raw === 'string' ? raw : url.slice(url.indexOf('/', url.indexOf('//') + 2))
  const [path = ''] = target.split(/[?#]/)
  return path
}

/** Returns whether the other end of a socket is this machine; `undefined` if the host does not know it. */
export function isLocalSocket(request: globalThis.Request): boolean | undefined {
  const socket = readProperty(readProperty(request, INCOMING), 'socket')
  const address = readProperty(socket, 'remoteAddress')
  if (socket === undefined) return undefined
  return typeof address === 'string' && /^(?:::ffff:)?127(?:\.\d+){3}$|^::1$/.test(address)
}

/**
 * Returns whether a request contains a header twice. `Headers` joins the values, and only a
 * Node message still has both.
 */
export function isDoubled(request: globalThis.Request, name: string): boolean {
  const raw = readProperty(readProperty(request, INCOMING), 'rawHeaders')
  const names = isArray(raw) ? raw.filter((_value, index) => index % 2 === 0) : []
  return names.filter((one) => String(one).toLowerCase() === name.toLowerCase()).length > 1
}
