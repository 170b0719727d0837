import { inspect } from 'node:util'
import { secretHeader, section, sidecard, text } from '../../src/index.ts'
import { createFailureList, createSeededInteger, type Soak } from './soak.ts'

const CANARIES = {
  secret: 'canary-secret-91ab',
  token: 'canary-token-44cd',
  email: 'canary.person@example.com',
  message: 'canary-message-of-an-error',
  environment: 'canary-of-the-environment',
  code: 'canary-code-of-a-handshake',
}

/**
 * Canary secrets and personal values in all inputs of an app that fails in every
 * way. None may appear in a response, a header, a log line or an inspection of
 * the app.
 */
export const canariesSoak: Soak = async ({ count, seed }) => {
  const next = createSeededInteger(seed)
  const found = createFailureList()
  const lines: string[] = []
  const write = (fields: unknown) => void lines.push(JSON.stringify(fields) + inspect(fields))
  const failing: readonly (() => unknown)[] = [
    () => {
      throw new Error(`${CANARIES.message} ${CANARIES.email}`)
    },
    () => Promise.reject({ message: CANARIES.message, toString: () => CANARIES.message }),
    () => {
      throw CANARIES.message
    },
    () => [section(`Orders`, () => Promise.reject(new TypeError(CANARIES.token)))],
    () => [{ type: 'text', label: 'x', value: 'y', [CANARIES.message]: 1 }],
    () => ({ version: 1, header: { title: CANARIES.message }, components: [] }),
    () => [text({ label: 'x', value: 'y' }), Promise.reject(new Error(CANARIES.email))],
    () =>
      Object.defineProperty([], '0', {
        get: () => {
          throw new Error(CANARIES.message)
        },
      }),
  ]
  const app = (errors: 'payload' | 'status') =>
    sidecard<{ Bindings: Record<string, string> }>({
      header: { title: 'Soak' },
      auth: secretHeader('x-key', (env) => env['SECRET']),
      errors,
      // By default, the user's own errors are logged unchanged.
      logErrors: 'name',
      logger: { debug: write, info: write, warn: write, error: write },
      fetchData: () => failing[next(failing.length)]?.() as never,
    })
  const apps = [app('payload'), app('status')]
  const env = { SECRET: CANARIES.secret, OTHER: CANARIES.environment, TOKEN: CANARIES.token }
  const queries = [
    `request_type=fetch_data&requester_email=${CANARIES.email}&account_id=${CANARIES.token}`,
    `request_type=fetch_data&requester_email=${CANARIES.email}&requester_email=x`,
    `request_type=${CANARIES.code}`,
    `request_type=verify&code=${CANARIES.code}${'x'.repeat(600)}`,
  ]
  for (let done = 0; done < count; done += 1) {
    const path = `/?${queries[next(queries.length)]}`
    const given = next(5) === 0 ? CANARIES.token : CANARIES.secret
    // oxlint-disable-next-line no-await-in-loop -- one request after another
    const response = await apps[next(2)]?.request(path, { headers: { 'x-key': given } }, env)
    // oxlint-disable-next-line no-await-in-loop -- one request after another
    const body = (await response?.text()) ?? ''
    const headers = JSON.stringify([...(response?.headers ?? [])])
    for (const [name, canary] of Object.entries(CANARIES)) {
      if ((body + headers).includes(canary)) found.add(`the ${name} is in a response: ${body}`)
    }
  }
  const written = lines.join('\n') + inspect(apps, { depth: 9, showHidden: true })
  for (const [name, canary] of Object.entries(CANARIES)) {
    if (written.includes(canary)) found.add(`the ${name} is in a log line or an inspection`)
  }
  if (lines.length === 0) found.add('nothing was logged, so the log was not checked')
  return {
    figures: { requests: count, logLines: lines.length, failures: found.count },
    failures: found.failures,
  }
}
