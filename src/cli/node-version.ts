const REQUIRED = [22, 13]

/** One line for who runs a Node that is too old; `undefined` when it is new enough. */
export function refusalOfNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [requiredMajor = 0, requiredMinor = 0] = REQUIRED
  if (major > requiredMajor || (major === requiredMajor && minor >= requiredMinor)) return undefined
  return `sidecard needs Node ${REQUIRED.join('.')} or newer; this is Node ${version}. Nothing was done.`
}
