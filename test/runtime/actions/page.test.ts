import { expect, test } from 'vitest'
import {
  confirmPage,
  createActionApp,
  openPage,
  PUBLIC_URL,
  readLinks,
} from '../../helpers/actions.ts'

test('a button opens a page that runs the action once', async () => {
  const app = createActionApp()
  const [link] = await readLinks(app)
  expect(link!.startsWith(`${PUBLIC_URL}/actions?t=`)).toBe(true)
  const page = await openPage(app, link!)
  expect(page).toMatchObject({ status: 200, outcome: 'shown', heading: 'Extend trial' })
  expect(page.html).toContain('account-1')
  expect(app.journal.runs).toEqual([])
  const done = await confirmPage(app, page, { days: '7', reason: '  A long\r\nevaluation ' })
  expect(done).toMatchObject({ status: 200, outcome: 'done', heading: 'Done' })
  expect(done.html).toContain('in 7 days')
  expect(app.journal.runs).toEqual([
    {
      input: { accountId: 'account-1' },
      values: { days: 7, reason: 'A long\nevaluation' },
      agent: { id: 'agent-7', email: 'robin@acme.example', name: 'Robin', groups: [] },
    },
  ])
  expect(await confirmPage(app, page)).toMatchObject({ outcome: 'already_done', status: 200 })
  const again = await openPage(app, link!)
  expect(again).toMatchObject({ outcome: 'already_done', heading: 'Done' })
  expect(again.html).toBe(done.html)
  expect(app.journal.runs).toHaveLength(1)
})
