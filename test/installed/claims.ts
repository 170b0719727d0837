/** What the pages claim about commands, wherever they appear. */
const CLAIMS: readonly (readonly [RegExp, RegExp])[] = [
  [/\bnpm (?:run dev|start)\b|\bsidecard dev\b/, /^connected /m],
  [
    /\bsidecard check (?!.*--(?:explain|list|only)\b)|\bnpm run verify\b/,
    /The endpoint conforms to the contract/,
  ],
  [/\bsidecard monitor\b/, /"verdict":"conforms"/],
  [/\bnpm test\b/, /\d+ passed|pass \d+/],
  [/\bsidecard record\b/, /^Saved /m],
]

/** What a page that was followed never shows. */
const NEVER = /command not found|No such file|returned 401|is incomplete|no customer data|ERR!/

/** Returns the claims about the commands of a block that its output does not fulfil. */
export function brokenClaims(code: string, output: string): readonly string[] {
  const missing = CLAIMS.filter(
    ([command, promise]) => command.test(code) && !promise.test(output),
  ).map(([, promise]) => `The output does not match ${promise}`)
  const forbidden = NEVER.exec(output)
  return forbidden === null ? missing : [...missing, `The output contains "${forbidden[0]}"`]
}
