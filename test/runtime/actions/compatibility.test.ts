import { memoryReceipts, type Receipt } from 'sidecard/actions'
import { expect, test } from 'vitest'
import { PUBLIC_URL } from '../../helpers/actions.ts'
import { createDesk } from '../../helpers/desk.ts'

// Written by this version. A later one must read them: receipts are kept for years.
const NOW_MS = 1801400000000
const TOKEN =
  'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..0iVLng2ovcrlJkHw.34W8dS2nj4zEnA6QRSHEFeF4opvPw3' +
  'HCmzej2WaSX5xTG1O8jLcy6ZuETOXVXD1-3dv91nUQN2Z32-uoKuj-ak_VdmzD31VJjXUKPfqnCSYvpU3LdzPUWl' +
  'PirzGBB5RScuhgPaXsqLhwQ71gDrC5MJT6EuYeNUlSZil9fQ6mcA3woghL_zfTvVVAGuRfpDxwAIZ2LEIM1Yj4B9' +
  'n9P6_3MGdRnq7oN_wx28lJcZhY13O1F8fN9uSapH80rxcNFcIGlPnizy_GyduQXq41t7aNTdz2lxKmaJYL_T1Rny' +
  'fR79enNSMe7RUeQZqm0IgYBxbGF5MLpBdVLjO7Ziq2pnHMppeqHW8DWSY0BaUMQXF6.MTvLZdVmL-7zSFSDWMhLr' +
  'Q'
const FORM_TOKEN = 'rgQJ9FqUTZ1gzxzuEVD2Uqygv3qlVQwLlxOJ2sroBuI'
const ENCRYPTED =
  'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..27es_spXuY-qloTk.J8hDg-LgefKl553r4Hd68GwP9bvClQ' +
  '9QHrmlE1L3gadUHu3p4IHerJim2jZfONLqGMhh3aPUMEbeSAb_BFBsXKiUcsn0xF20PhUsMXZ-wuRlZ1LY9HKGtU' +
  'Cdb_MG4QoUCHTGws2h1IZxMlgQR7Y5QjRH16f_okC3L_O0HdOBNIGfuKTOwoSD6ZuIpR4FwqhFo1d7uJr7gX5Up7' +
  '-h55uW-bVTtnm-nXEfOuP6Xq73gxNp1dqwvM0NM5NbmV54S4TV-9BMfb6a8Q.FWwI4NxNpooCXedszDH8rQ'
/** As the stores for SQL write it. */
const STORED =
  '{"actionKey":"jP-CnHvO6XJ98tNkiAz2Xv7Gq63028c0SUNb8WdOjoQ","number":1,"attemptId":' +
  '"Iey_buB5Vz_O21LnqBzrXg","linkId":"DsF8INsVtt05DJbEcRmGriF0ENK8alEettXZO2meD1k","revision":1,' +
  '"state":"done","app":"Billing","action":"extend-trial","organization":"org-1","account":' +
  '"account-1","requester":"user-1","issue":"issue-1","agent":{"id":"agent-7","email":' +
  '"robin@acme.example","name":"Robin","groups":[]},"traceId":"9h3c3gsjgwep","keySeed":' +
  '"Iey_buB5Vz_O21LnqBzrXg","idempotencyKey":"m9NQbK_izKk1tfLnh55yTZN9B00wlrk0MTtJpKa7mJ0",' +
  '"startedAtMs":1801400001000,"changedAtMs":1801400001000,"dueAtMs":1801400021000,' +
  `"settlesAtMs":1801400081000,"keepUntilSeconds":1803992001,"encrypted":"${ENCRYPTED}"}`
const RECEIPT = JSON.parse(STORED) as Receipt

function createLaterDesk(overrides = {}, broken = {}) {
  const memory = memoryReceipts({ now: () => NOW_MS })
  const receipts = { ...memory, ...broken }
  const desk = createDesk({ uniqueKey: () => 'intent', ...overrides }, { receipts })
  desk.nowMs = NOW_MS + 1_000
  return desk
}

test('a link and its form are accepted by a later version', async () => {
  const ids: unknown[] = []
  const desk = createLaterDesk({ show: (ctx: any) => (ids.push(ctx.params), []) })
  const page = await desk.show(`${PUBLIC_URL}/actions?t=${TOKEN}`)
  expect(page).toMatchObject({ outcome: 'shown', form: FORM_TOKEN })
  expect(ids).toMatchObject([
    { issue_id: 'issue-1', organization_id: 'org-1', account_id: 'account-1' },
  ])
  const form = { t: TOKEN, form: FORM_TOKEN }
  expect(await desk.confirm(form)).toMatchObject({ outcome: 'done' })
  expect(desk.app.journal.runs).toEqual([])
  const { actionKey, linkId, startedAtMs, dueAtMs, settlesAtMs } = RECEIPT
  const same = { actionKey, linkId, number: 1, startedAtMs, dueAtMs, settlesAtMs }
  expect(await desk.last()).toMatchObject(same)
})

test('a receipt is found and read by a later version', async () => {
  const list = (actionKey: string) => (actionKey === RECEIPT.actionKey ? [RECEIPT] : [])
  const desk = createLaterDesk({}, { list })
  const page = await desk.open()
  expect(page).toMatchObject({ outcome: 'already_done', heading: 'Already done' })
  expect(page.html).toContain('r3sult')
})
