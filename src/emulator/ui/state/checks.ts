import { signal } from '@preact/signals'
import type { Report } from '../../../check/report.ts'
import type { AppView } from '../../protocol.ts'
import { announce } from './announce.ts'
import { control, reasonOf } from './control.ts'

/** The newest check of an app. */
export interface AppCheck {
  readonly isRunning: boolean
  readonly report?: Report
  readonly error?: string
}

/** The checks of this page's life, by the ids of the apps. */
export const checks = signal<ReadonlyMap<string, AppCheck>>(new Map())

/** Runs the checker on an app; its last report stays in sight until the new one is there. */
export async function runCheck(app: AppView): Promise<void> {
  const last = checks.peek().get(app.id)?.report
  put(app.id, { isRunning: true, ...(last !== undefined && { report: last }) })
  try {
    const report = await control<Report>('POST', `apps/${encodeURIComponent(app.id)}/check`)
    put(app.id, { isRunning: false, report })
    const { fail } = report.summary
    announce(fail > 0 ? `${fail} rules failed` : 'Nothing failed', fail > 0 ? 'bad' : 'plain')
  } catch (error) {
    put(app.id, {
      isRunning: false,
      error: reasonOf(error),
      ...(last !== undefined && { report: last }),
    })
  }
}

function put(appId: string, check: AppCheck): void {
  checks.value = new Map(checks.peek()).set(appId, check)
}
