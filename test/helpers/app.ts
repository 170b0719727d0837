import { type Env } from 'hono'
import { noAuth, sidecard, type SidecardOptions, text } from 'sidecard'

/** A logger that keeps its lines. */
export function recordingLogger() {
  const lines: { level: string; fields: Record<string, unknown> }[] = []
  const at = (level: string) => (fields: Readonly<Record<string, unknown>>) => {
    lines.push({ level, fields: { ...fields } })
  }
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** An app that says hello to anyone, with whatever a test wants otherwise. */
export function makeApp<E extends Env = Env>(options: Partial<SidecardOptions<E>> = {}) {
  return sidecard<E>({
    header: { title: 'Test' },
    auth: noAuth(),
    logger: false,
    fetchData: () => [text({ label: 'Plan', value: 'Pro' })],
    ...options,
  })
}

export const VERIFY = '/?request_type=verify&code=c0de'
export const FETCH_DATA =
  '/?request_type=fetch_data&app_id=app-1&widget_id=widget-1&issue_id=issue-1&organization_id=org-1&account_id=account-1&requester_id=user-1&requester_email=jane%40example.com'

/** The payload of an answer, which must be JSON and status 200. */
export async function payloadOf(response: Response): Promise<any> {
  if (response.status !== 200)
    throw new Error(`status ${response.status}: ${await response.text()}`)
  return response.json()
}

/** A promise that nobody settles. */
export function never(): Promise<never> {
  return new Promise(() => undefined)
}
