import { signal } from '@preact/signals'
import type { Report } from '../../check/report.ts'
import type { AppView } from '../../emulator/protocol/workspace.ts'
import { notify } from '../core/notify.ts'
import { control, errorMessage } from '../core/control.ts'

/** The newest check of an app. */
export interface AppCheck {
  readonly isRunning: boolean
  readonly report?: Report
  readonly error?: string
}

/** The checks since the page was loaded, by app ID. */
export const checks = signal<ReadonlyMap<string, AppCheck>>(new Map())

/** Runs the checker on an app. The last report stays visible until the new one is complete. */
export async function runCheck(app: AppView): Promise<void> {
  const last = checks.peek().get(app.id)?.report
  put(app.id, { isRunning: true, ...(last !== undefined && { report: last }) })
  try {
    const report = await control('POST apps/:appId/check', { appId: app.id })
    put(app.id, { isRunning: false, report })
    const { fail } = report.summary
    notify(
      fail > 0 ? `${fail} ${fail === 1 ? 'rule' : 'rules'} failed` : 'No failures',
      fail > 0 ? 'bad' : 'plain',
    )
  } catch (error) {
    put(app.id, {
      isRunning: false,
      error: errorMessage(error),
      ...(last !== undefined && { report: last }),
    })
  }
}

function put(appId: string, check: AppCheck): void {
  checks.value = new Map(checks.peek()).set(appId, check)
}
