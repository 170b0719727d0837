import type { ZodType } from 'zod'

/**
 * Reads the environment. If variables are missing or invalid, prints one line for
 * each and exits.
 */
export function readEnv<Env>(schema: ZodType<Env>): Env {
  const result = schema.safeParse(process.env)
  if (result.success) return result.data
  for (const { code, path, message } of result.error.issues) {
    const name = path.join('.')
    const isMissing = code === 'invalid_type' && process.env[name] === undefined
    const problem = isMissing
      ? ' is missing. Set it in .env or in the environment.'
      : `: ${message}`
    console.error(`Environment variable ${name}${problem}`)
  }
  return process.exit(1)
}
