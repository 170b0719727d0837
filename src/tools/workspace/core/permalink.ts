import { decodeUtf8, readBody } from '../../service/endpoint/body.ts'

/** The maximum size of a payload in a permalink, decompressed. */
export const MAX_LINK_BYTES = 1_048_576

/** The page that a permalink opens. On the documentation site, it is the embedding page. */
export const linkPage = { url: () => location.href }

/** The error of a permalink that cannot be created or read. Its message is shown to the user. */
export class LinkError extends Error {
  override readonly name = 'LinkError'
}

/**
 * Compresses a text for the fragment of a URL: deflate-raw, as base64url.
 *
 * @throws {LinkError} if the text is larger than {@link MAX_LINK_BYTES}.
 */
export async function compressText(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length > MAX_LINK_BYTES) throw new LinkError('Payloads over 1 MiB do not fit in a link')
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const compressed = new Uint8Array(await new Response(stream).arrayBuffer())
  return toBase64Url(compressed)
}

/**
 * Decompresses a text. It stops at {@link MAX_LINK_BYTES}, so that a small link
 * cannot exhaust the memory.
 *
 * @throws {LinkError} if the link is damaged or too large.
 */
export async function decompressText(code: string): Promise<string> {
  const damaged = new LinkError('The payload in this link is damaged')
  let body
  try {
    const stream = new Blob([fromBase64Url(code)])
      .stream()
      .pipeThrough(new DecompressionStream('deflate-raw'))
    body = await readBody(new Response(stream), MAX_LINK_BYTES)
  } catch {
    throw damaged
  }
  if (body.truncated) throw new LinkError('The payload in this link is larger than 1 MiB')
  const text = decodeUtf8(body.bytes)
  if (text === undefined) throw damaged
  return text
}

function toBase64Url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function fromBase64Url(code: string): Uint8Array<ArrayBuffer> {
  const binary = atob(code.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
