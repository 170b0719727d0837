/**
 * The essence of a `Content-Type`: `type/subtype` in lower case, without its
 * parameters. Names are case-insensitive and white space around `;` does not
 * matter (RFC 9110, section 8.3.1). `undefined` when the header is absent or no media type.
 */
export function mediaType(contentType: string | undefined): string | undefined {
  const essence = contentType?.split(';', 1)[0]?.trim().toLowerCase()
  return essence !== undefined && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(essence)
    ? essence
    : undefined
}
