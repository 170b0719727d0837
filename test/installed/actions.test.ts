import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { TEMPLATES } from '../../src/cli/new/templates.ts'
import { openActionPage, type SendToPage } from '../../src/service/action-page.ts'
import { assertClaims } from './claims.ts'
import { hasRegistry, openPlace, takeTurns } from './project.ts'
import { type BlockRun, runBlock } from './run-block.ts'

const SIDEBAR =
  'http://127.0.0.1:8787/?request_type=fetch_data&issue_id=iss_1&account_id=acc_northwind'

takeTurns()

let running: BlockRun | undefined
afterEach(() => running?.stop())

/** Opens a page and sends its form, as a browser on this machine does. */
const send: SendToPage = (link, body) => {
  const { origin } = new URL(link)
  if (body === undefined) return fetch(link)
  const headers = { origin, 'sec-fetch-site': 'same-origin' }
  return fetch(`${origin}/actions`, { method: 'POST', headers, body })
}

describe.skipIf(!hasRegistry)('the action of a new project', () => {
  test.each(TEMPLATES)(
    'of the template $name creates a task during development, once, without any setup',
    async ({ name, secretsFile }) => {
      const project = await openPlace(name)
      running = await runBlock('npm run dev', project)
      assertClaims(running)
      const secrets = readFileSync(join(project, secretsFile), 'utf8')
      const [, secret = ''] = /^SIDECARD_SECRET=(.+)$/m.exec(secrets) ?? []
      const sidebar = await fetch(SIDEBAR, { headers: { 'x-sidecard-secret': secret } })
      const [, link = ''] = /"(http[^"]*\/actions\?t=[^"]+)"/.exec(await sidebar.text()) ?? []
      const page = await openActionPage(link, send)
      expect([page.status, page.title]).toEqual([200, 'Create follow-up task'])
      const { outcome, text } = await page.confirm({ title: 'Call back' })
      expect([outcome, text]).toEqual(['done', expect.stringMatching(/Task: task_/)])
      expect((await page.confirm({ title: 'Call back' })).outcome).toBe('already_done')
    },
  )
})
