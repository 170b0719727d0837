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
const SEALED =
  'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..W9l35wSXTkx_003v.q-Kkdt5K4DlTCUEO-VXlo-d6V8xyjK' +
  'F4i_AwAAS_l_jB8kRrk8hzTqpc-xu_ffd81quIDIpx7ub_D0eA2zrF_ueBOHfoWBTOc0INZpwLFUotmrW9q-75lD' +
  'gbiMFli7Ys8TT0QFUFy64NU64gyJCL0ycRSHVMuJCEtygzkSMz_Ljvyp09LvDurdSoqeq7aa1rjCAGRjw8fTy2pG' +
  '8MAD4CCm_x89I2wyT7gwFZKWBCNVKL9eUdm2nPxvFqKYK8KLTHacjJJMRY3-fLwM2EWcoB6CkiEbklMpXZBpu9w6' +
  'tLwC6xrNpjHZqnzvhF7G4kTLLaEt5AnXSSbXyAlWl5Pmb3muPZKg.-7mUOfq2nxKxrwMZqq_trw'
const RECEIPT: Receipt = {
  intent: 'jP-CnHvO6XJ98tNkiAz2Xv7Gq63028c0SUNb8WdOjoQ',
  id: 'jP-CnHvO6XJ98tNkiAz2Xv7Gq63028c0SUNb8WdOjoQ.once',
  owner: 'lIpLUM-illCy1sw72hI1og',
  state: 'done',
  app: 'Billing',
  action: 'extend-trial',
  organization: 'org-1',
  account: 'account-1',
  requester: 'user-1',
  issue: 'issue-1',
  agent: {
    id: 'agent-7',
    email: 'robin@acme.example',
    name: 'Robin',
    groups: [],
  },
  traceId: 'bpmkpthwp2ha',
  work: 'g7f9qpex7MEOiYu3GMJTLogkYVMa7U28oBrzouLMeO0',
  idempotencyKey: 'wzqSgIAC0wdGWHEZhHe99G0fKyEa97Y-fF0aqVMheyY',
  startedAtMs: 1801400000000,
  changedAtMs: 1801400000000,
  hasEnded: true,
  linkIssuedAtMs: 1801400000000,
  keepUntilSeconds: 1803992000,
  sealed: SEALED,
}

function createLaterDesk(overrides = {}, broken = {}) {
  const memory = memoryReceipts({ now: () => NOW_MS })
  const desk = createDesk(
    { once: () => 'intent', ...overrides },
    { receipts: { ...memory, ...broken } },
  )
  desk.nowMs = NOW_MS + 1_000
  return Object.assign(desk, { memory })
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
  expect((await desk.memory.last(RECEIPT.intent))[0]).toMatchObject({
    id: RECEIPT.id,
    intent: RECEIPT.intent,
    work: RECEIPT.work,
    idempotencyKey: RECEIPT.idempotencyKey,
  })
})

test('a receipt is found and read by a later version', async () => {
  const last = (intent: string) => (intent === RECEIPT.intent ? [RECEIPT] : [])
  const desk = createLaterDesk({}, { last })
  const page = await desk.open()
  expect(page).toMatchObject({ outcome: 'already_done', heading: 'Already done' })
  expect(page.html).toContain('r3sult')
})
