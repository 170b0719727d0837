import { ActionError } from 'sidecard/actions'
import { expect, test } from 'vitest'
import { DEFAULT_ACTION_MESSAGES as messages } from '../../../src/runtime/actions/messages.ts'
import { createRecordingLogger } from '../../helpers/app.ts'
import { createDesk } from '../../helpers/desk.ts'

type Desk = ReturnType<typeof createDesk>

/** How a page comes about: the options of the action, those of `actions()`, and what the agent does. */
type Case = readonly [
  overrides: object,
  options: object,
  act: (desk: Desk) => Promise<{ html: string }>,
]

/** How it looks: outcome, status, level of the log line, tone, heading, and text. */
type Look = readonly [string, number, string, string, string, string?]

const fail = (error: unknown) => () => Promise.reject(error)
const lost = { run: fail(new Error('x')) }
const busy = { run: fail(new ActionError('Busy.')) }
const withoutId = { show: (ctx: any) => ctx.require('requester_id') }

const open = (desk: Desk) => desk.open()
const confirm = async (desk: Desk) => desk.confirm(await desk.open())
const enterText = async (desk: Desk) => desk.confirm(await desk.open(), { days: 'x' })
const openWithoutId = async (desk: Desk) =>
  desk.show(await desk.newLink('/?request_type=fetch_data&account_id=a'))
const confirmBoth = async (desk: Desk) => {
  const pages = [await desk.open(), await desk.open()]
  await desk.confirm(pages[0])
  return desk.confirm(pages[1])
}
const confirmTwice = async (desk: Desk) => {
  const page = await desk.open()
  await desk.confirm(page)
  return desk.confirm(page)
}

test.each<[Look, Case]>([
  [
    ['shown', 200, 'info', 'plain', 'Extend trial'],
    [{}, {}, open],
  ],
  [
    ['done', 200, 'info', 'good', messages.done, messages.reload],
    [{}, {}, confirm],
  ],
  [
    ['already_done', 200, 'info', 'good', messages.done, messages.reload],
    [{}, {}, confirmTwice],
  ],
  [
    ['refused', 409, 'warn', 'caution', messages.notDone, 'Busy.'],
    [busy, {}, confirm],
  ],
  [
    ['unknown', 500, 'error', 'bad', messages.unknown, 'This may still go through.'],
    [lost, {}, confirm],
  ],
  [
    ['in_progress', 409, 'info', 'caution', 'Extend trial', messages.changedSince],
    [{}, {}, confirmBoth],
  ],
  [
    [
      'forbidden',
      403,
      'warn',
      'bad',
      messages.forbidden,
      messages.forbiddenText('robin@acme.example'),
    ],
    [{ authorize: () => false }, {}, open],
  ],
  [
    ['failed', 500, 'error', 'bad', messages.unavailable, messages.failedText],
    [{ show: fail(new Error('x')) }, {}, open],
  ],
  [
    ['invalid', 422, 'warn', 'bad', 'Extend trial', messages.checkFields],
    [{}, {}, enterText],
  ],
  [
    ['not_found', 404, 'info', 'plain', messages.unavailable],
    [withoutId, {}, openWithoutId],
  ],
])('the page of %j', async (look, [overrides, options, act]) => {
  const [outcome, status, level, tone, heading, text] = look
  const logger = createRecordingLogger()
  const page = await act(createDesk(overrides, options, { logger }))
  expect(page).toMatchObject({ outcome, status, heading })
  expect(logger.lines.at(-1)).toMatchObject({ level, fields: { outcome, status } })
  expect(page.html).toContain(`<h1 class="${tone}">${heading}<`)
  const [, shown] =
    /<p class="message ([^<]*)/.exec(page.html.replace(/ Check again [^<]*/, '')) ?? []
  expect(shown?.replace(' role="alert"', '')).toBe(text && `${tone}">${text}`)
})
