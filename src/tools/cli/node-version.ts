const REQUIRED = '22.13'

/** Returns one line for a Node that is too old, or `undefined` if it is supported. */
export function unsupportedNodeMessage(
  version: string,
  required = REQUIRED,
  subject = 'sidecard',
): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [requiredMajor = 0, requiredMinor = 0] = required.split('.').map(Number)
  if (major > requiredMajor || (major === requiredMajor && minor >= requiredMinor)) return undefined
  return `${subject} requires Node ${required} or later. You are running Node ${version}.`
}
