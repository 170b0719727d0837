/**
 * Returns the media type of a `Content-Type` in lowercase, without parameters
 * (RFC 9110, section 8.3.1); `undefined` if the header is absent or invalid.
 */
export function mediaType(contentType: string | undefined): string | undefined {
  const essence = contentType?.split(';', 1)[0]?.trim().toLowerCase()
  return essence !== undefined && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(essence)
    ? essence
    : undefined
}
