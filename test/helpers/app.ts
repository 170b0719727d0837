import { type DefaultBindings, noAuth, sidecard, type SidecardOptions, text } from 'sidecard'

/** Creates a logger that records its lines. */
export function createRecordingLogger() {
  const lines: { level: string; fields: Record<string, unknown> }[] = []
  const at = (level: string) => (fields: Readonly<Record<string, unknown>>) => {
    lines.push({ level, fields: { ...fields } })
  }
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** Creates an app without authentication, with the options of a test. */
export function createTestApp<T = DefaultBindings>(
  options: Partial<Omit<SidecardOptions<T>, 'actions'>> = {},
) {
  return sidecard<T>({
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

/** Reads the payload of a response, which must be JSON with status 200. */
export async function readPayload(response: Response): Promise<any> {
  if (response.status !== 200)
    throw new Error(`status ${response.status}: ${await response.text()}`)
  return response.json()
}

/** Returns a promise that never settles. */
export function neverResolves(): Promise<never> {
  return new Promise(() => undefined)
}
