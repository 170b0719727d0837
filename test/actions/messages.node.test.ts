import { expect, test } from 'vitest'
import { DEFAULT_ACTION_MESSAGES, directionOf } from '../../src/actions/messages.ts'

test('the texts of the page', () => {
  const shown = Object.entries(DEFAULT_ACTION_MESSAGES).map(([name, message]) => {
    const create = message as string | ((...args: readonly string[]) => string)
    const text = typeof create === 'string' ? create : `${create('A', 'B')} | ${create('A')}`
    return `${name}: ${text}`
  })
  expect(shown.join('\n')).toMatchInlineSnapshot(`
    "lang: en
    confirm: Confirm
    signedInAs: Signed in as A | Signed in as A
    lastDone: Last done: A by B. | Last done: A.
    lastRunning: Confirmed by B: A. It is still running. | Confirmed: A. It is still running.
    lastUnknown: Confirmed by B: A. It is not known whether it was done. Check before you do it again. | Confirmed: A. It is not known whether it was done. Check before you do it again.
    checked: I have checked that it was not done.
    notChecked: Tick the box to confirm. Nothing was done.
    changedSince: Something has changed since you opened this page. Nothing was done.
    confirmedBy: Confirmed by B: A | Confirmed: A
    resolvedBy: Checked by B: A | Checked: A
    resolve: If you know the outcome, state it:
    wasDone: It was done
    wasNotDone: It was not done
    tooEarly: It may still be done. Check again after A. | It may still be done. Check again after A.
    entered: You entered
    openAgain: Open it again
    signIn: Sign in
    signOut: Sign out
    signedOut: You are signed out
    signedOutText: To sign in again, open a link in the sidebar.
    signInExpired: Your sign-in has expired. Nothing was done. Sign in in the new tab, then confirm here.
    optional: optional
    choose: Choose…
    checkFields: Check the marked fields. Nothing was done.
    missingValue: Enter a value.
    tooLong: Enter at most A characters. | Enter at most A characters.
    notANumber: Enter a number.
    outOfRange: Enter a value from A to B. | Enter at least A.
    notAStep: Enter a multiple of A. | Enter a multiple of A.
    tooPrecise: This number has too many digits.
    notADate: Enter a date.
    notTicked: Tick this box.
    notAChoice: Choose one of the options.
    done: Done
    reload: Reload the sidebar to see the change.
    alreadyDone: Already done
    inProgress: In progress
    inProgressText: This was confirmed a moment ago. Nothing was done again.
    notDone: Not done
    unknown: Outcome unknown
    unknownText: It is not known whether this was done. Check before you do it again.
    expired: This link has expired
    expiredText: Reload the sidebar and open it again.
    invalid: This link is not valid
    invalidText: Nothing was done. Reload the sidebar and open the link again.
    noLink: Open this page from the sidebar
    noLinkText: If your sign-in had just expired, nothing was done. Open the link again.
    forbidden: Not allowed
    forbiddenText: You are signed in as A, who may not do this. | You are signed in as A, who may not do this.
    forbiddenAnyone: You may not do this.
    notSignedIn: Your sign-in could not be checked. Nothing was done.
    foreignForm: You did not open this form on this page. Nothing was done.
    unavailable: Not available
    unavailableText: This action is not set up completely. The log of the app says why.
    failedText: This could not be loaded. Nothing was done. Try again in a moment.
    notStarted: This could not be started. Nothing was done. Try again in a moment.
    traceId: Trace ID"
  `)
})

test.each([
  ['ar', 'rtl'],
  ['AR-EG', 'rtl'],
  ['he', 'rtl'],
  ['fa-IR', 'rtl'],
  ['en', 'ltr'],
  ['de-AR', 'ltr'],
  ['arn', 'ltr'],
  ['x-ar', 'ltr'],
])('a page in %s is written %s', (lang, direction) => {
  expect(directionOf(lang)).toBe(direction)
})
