const REQUIRED = '22.13'

/** One line for who runs a Node that is too old; `undefined` when it is new enough. */
export function refusalOfNode(
  version: string,
  required = REQUIRED,
  who = 'sidecard',
): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [requiredMajor = 0, requiredMinor = 0] = required.split('.').map(Number)
  if (major > requiredMajor || (major === requiredMajor && minor >= requiredMinor)) return undefined
  return `${who} needs Node ${required} or newer; this is Node ${version}. Nothing was done.`
}
