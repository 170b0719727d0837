import { text } from 'sidecard'
import {
  ActionError,
  checkboxField,
  dateField,
  moneyField,
  numberField,
  selectField,
  textField,
} from 'sidecard/actions'
import { expect, test } from 'vitest'
import {
  AGENT,
  confirmPage,
  createActionApp,
  createExtendTrial,
  openPage,
  readLinks,
} from '../../helpers/actions.ts'

const NOW = Date.parse('2027-01-31T12:00:00Z')
const AT_NOON = { now: () => NOW }

/** Returns the main part of a page, without what is random. */
function readMain(html: string): string {
  const [, main = ''] = /<main>\n([^]*)\n<\/main>/.exec(html) ?? []
  return main
    .replaceAll(/(name="(?:t|form)" value=")[^"]+/g, '$1…')
    .replaceAll(/(\/actions\?t=)[^"]+/g, '$1…')
    .replaceAll(/(name="seen" value=")[^"]{4,}/g, '$1…')
    .replaceAll(/<code>[^<]+/g, '<code>…')
    .replaceAll(/(<section class="sidecard-widget">)[^]*?<\/section>/g, '$1…</section>')
    .replaceAll(/\n+/g, '\n')
    .replaceAll(/(<div class="field">)\n|\n(?=<input type="hidden"|<\/div>)/g, '$1')
}

const FIELDS = {
  days: numberField({ label: 'Days', hint: 'Up to a month.', min: 1, max: 30, value: 14 }),
  credit: moneyField({ label: 'Credit', currency: 'EUR', max: 5_000, optional: true }),
  due: dateField({ label: 'Due', min: '2027-01-01', max: '2027-12-31' }),
  why: textField({ label: 'Why <now>', maxLength: 50 }),
  note: textField({ label: 'Note', multiline: true, value: '"a"\n& b', optional: true }),
  plan: selectField({ label: 'Plan', options: { pro: 'Pro', team: 'Team' }, value: 'team' }),
  notify: checkboxField({ label: 'Notify', hint: 'By email.', value: true }),
  agreed: checkboxField({ label: 'Agreed', required: true }),
}
const VALUES = { days: '7', due: '2027-02-01', why: 'asked', plan: 'pro', agreed: 'on' }

async function open(overrides: Record<string, unknown> = {}, options = {}) {
  const extendTrial = createExtendTrial({ form: FIELDS, ...overrides })
  const app = createActionApp(extendTrial, options)
  const newLink = async () => (await readLinks(app, undefined, undefined, AT_NOON))[0]!
  const link = await newLink()
  const show = (at = link, now = NOW) => openPage(app, at, {}, undefined, { now: () => now })
  const page = await show()
  const confirm = (values: Record<string, string> = VALUES, now = NOW, from = page) =>
    confirmPage(app, from, values, undefined, undefined, { now: () => now })
  return { page, newLink, show, confirm }
}

test('a form has a label, the limits and the initial value of each field', async () => {
  const { page } = await open()
  expect(readMain(page.html)).toMatchInlineSnapshot(`
    "<p class="above">Billing</p>
    <h1 class="plain">Extend trial</h1>
    <section class="sidecard-widget">…</section>
    <form method="post" action="/sidebar/actions"><input type="hidden" name="t" value="…"><input type="hidden" name="form" value="…"><input type="hidden" name="seen" value="">
    <div class="field"><label for="field-days">Days</label>
    <input type="text" inputmode="decimal" autocomplete="off" dir="auto" id="field-days" name="field-days" required aria-describedby="field-days-hint" value="14">
    <p class="quiet" id="field-days-hint">Up to a month.</p></div>
    <div class="field"><label for="field-credit">Credit (EUR) <span class="quiet">(optional)</span></label>
    <input type="text" inputmode="decimal" autocomplete="off" dir="auto" id="field-credit" name="field-credit" value=""></div>
    <div class="field"><label for="field-due">Due</label>
    <input type="date" id="field-due" name="field-due" required min="2027-01-01" max="2027-12-31" value=""></div>
    <div class="field"><label for="field-why">Why &lt;now&gt;</label>
    <input type="text" dir="auto" autocomplete="off" id="field-why" name="field-why" required maxlength="50" value=""></div>
    <div class="field"><label for="field-note">Note <span class="quiet">(optional)</span></label>
    <textarea dir="auto" autocomplete="off" rows="4" id="field-note" name="field-note" maxlength="1000">
    &quot;a&quot;
    &amp; b</textarea></div>
    <div class="field"><label for="field-plan">Plan</label>
    <select id="field-plan" name="field-plan" required><option value="">Choose…</option><option value="pro">Pro</option><option value="team" selected>Team</option></select></div>
    <div class="field"><label class="tick"><input type="checkbox" id="field-notify" name="field-notify" aria-describedby="field-notify-hint" value="on" checked> Notify</label>
    <p class="quiet" id="field-notify-hint">By email.</p></div>
    <div class="field"><label class="tick"><input type="checkbox" id="field-agreed" name="field-agreed" required value="on"> Agreed</label></div>
    <button type="submit">Extend trial</button>
    </form>
    <p class="quiet">Signed in as robin@acme.example</p>
    "
  `)
})

test('a field that is wrong has its problem, and the first one the focus', async () => {
  const { confirm } = await open()
  const page = await confirm({ days: '31', credit: '1.001', due: '', why: 'x', notify: '' })
  const changed = /^.*(?:<h1|role="alert"|aria-invalid|class="problem"|"field-(?:why|notify)").*$/gm
  expect(readMain(page.html).match(changed)?.join('\n')).toMatchInlineSnapshot(`
    "<h1 class="bad">Extend trial</h1>
    <p class="message bad" role="alert">Check the marked fields. Nothing was done.</p>
    <input type="text" inputmode="decimal" autocomplete="off" dir="auto" id="field-days" name="field-days" required aria-invalid="true" aria-describedby="field-days-problem field-days-hint" autofocus value="31">
    <p class="problem" id="field-days-problem">Enter a value from 1 to 30.</p></div>
    <input type="text" inputmode="decimal" autocomplete="off" dir="auto" id="field-credit" name="field-credit" aria-invalid="true" aria-describedby="field-credit-problem" value="1.001">
    <p class="problem" id="field-credit-problem">1.001 can mean 1,001.00 or 1.001. Enter 1,001.00 or 1.0010.</p></div>
    <input type="date" id="field-due" name="field-due" required aria-invalid="true" aria-describedby="field-due-problem" min="2027-01-01" max="2027-12-31" value="">
    <p class="problem" id="field-due-problem">Enter a value.</p></div>
    <div class="field"><label for="field-why">Why &lt;now&gt;</label>
    <input type="text" dir="auto" autocomplete="off" id="field-why" name="field-why" required maxlength="50" value="x"></div>
    <select id="field-plan" name="field-plan" required aria-invalid="true" aria-describedby="field-plan-problem"><option value="" selected>Choose…</option><option value="pro">Pro</option><option value="team">Team</option></select>
    <p class="problem" id="field-plan-problem">Enter a value.</p></div>
    <div class="field"><label class="tick"><input type="checkbox" id="field-notify" name="field-notify" aria-describedby="field-notify-hint" value="on"> Notify</label>
    <div class="field"><label class="tick"><input type="checkbox" id="field-agreed" name="field-agreed" required aria-invalid="true" aria-describedby="field-agreed-problem" value="on"> Agreed</label>
    <p class="problem" id="field-agreed-problem">Check this box.</p></div>"
  `)
})

test('a receipt has its sentence, its result, who and when', async () => {
  const run = () => [text({ label: 'Ends', value: '<soon>' })]
  const { confirm } = await open({ run, summary: () => 'Extend by 7 days' })
  const { html } = await confirm()
  expect(html).toContain('<div class="clamp" dir="auto">&lt;soon&gt;</div>')
  expect(readMain(html)).toMatchInlineSnapshot(`
    "<p class="above">Extend trial</p>
    <h1 class="good">Done</h1>
    <p class="sentence">Extend by 7 days</p>
    <section class="sidecard-widget">…</section><p class="message good">Reload the sidebar to see the change.</p>
    <p class="quiet">Confirmed by robin@acme.example: now (2027-01-31 12:00 UTC)</p>
    <p class="quiet">Signed in as robin@acme.example</p>
    <p class="quiet">Trace ID <code>…</code></p>
    "
  `)
})

test('an agent who may state an unknown outcome sees buttons for it, through any link', async () => {
  const run = () => Promise.reject(new Error('lost'))
  const { confirm, show, newLink } = await open({ run })
  const main = readMain((await confirm()).html)
  expect(main).toMatchInlineSnapshot(`
    "<p class="above">Extend trial</p>
    <h1 class="bad">Outcome unknown</h1>
    <p class="message bad">This may still go through. Check again in 2 minutes (2027-01-31 12:02 UTC).</p>
    <form method="post" action="/sidebar/actions"><input type="hidden" name="t" value="…"><input type="hidden" name="form" value="…"><input type="hidden" name="seen" value="…">
    <p class="quiet">If you know the outcome, state it:</p>
    <button type="submit" name="resolve" value="done" class="second">It went through</button>
    </form>
    <p class="quiet">Confirmed by robin@acme.example: now (2027-01-31 12:00 UTC)</p>
    <p class="quiet">Signed in as robin@acme.example</p>
    <p class="quiet">Trace ID <code>…</code></p>
    "
  `)
  expect(readMain((await show(await newLink())).html)).toBe(main)
})

test('a form without fields has its sentence, and an agent who can sign out a button', async () => {
  const signIn = Object.assign(() => AGENT, { canSignOut: true })
  const { page } = await open({ form: {}, summary: () => 'Extend' }, { signIn })
  expect(readMain(page.html)).toMatchInlineSnapshot(`
    "<p class="above">Billing</p>
    <h1 class="plain">Extend trial</h1>
    <p class="sentence">Extend</p>
    <section class="sidecard-widget">…</section>
    <form method="post" action="/sidebar/actions"><input type="hidden" name="t" value="…"><input type="hidden" name="form" value="…"><input type="hidden" name="seen" value="">
    <button type="submit">Extend trial</button>
    </form>
    <p class="quiet">Signed in as robin@acme.example</p>
    <form method="post" action="/sidebar/actions?sign-out" class="sign-out">
    <button type="submit" class="second">Sign out</button>
    </form>"
  `)
})

test('an ActionError is above the form, and at its field', async () => {
  const error = new ActionError('Only 3 days are left.', { field: 'days' })
  const { confirm } = await open({ run: () => Promise.reject(error), form: { days: FIELDS.days } })
  const main = readMain((await confirm({ days: '7' })).html)
  expect(main).toMatchInlineSnapshot(`
    "<p class="above">Extend trial</p>
    <h1 class="caution">Not done</h1>
    <p class="message caution" role="alert">Check the marked fields. Nothing was done.</p>
    <section class="sidecard-widget">…</section>
    <form method="post" action="/sidebar/actions"><input type="hidden" name="t" value="…"><input type="hidden" name="form" value="…"><input type="hidden" name="seen" value="1">
    <div class="field"><label for="field-days">Days</label>
    <input type="text" inputmode="decimal" autocomplete="off" dir="auto" id="field-days" name="field-days" required aria-invalid="true" aria-describedby="field-days-problem field-days-hint" autofocus value="7">
    <p class="quiet" id="field-days-hint">Up to a month.</p>
    <p class="problem" id="field-days-problem">Only 3 days are left.</p></div>
    <button type="submit">Extend trial</button>
    </form>
    <p class="quiet">Signed in as robin@acme.example</p>
    "
  `)
})
