/**
 * The texts of the page of an action, to replace or translate. Functions return
 * the whole sentence, so that each language can order its words.
 */
export interface ActionMessages {
  /** The language of the texts, a BCP 47 tag. The direction of the page follows it. @default 'en' */
  readonly lang: string
  /** The button that runs the action. @default 'Confirm' */
  readonly confirm: string
  /** Says who is signed in. */
  readonly signedInAs: (agent: string) => string
  /** Above the form: when the same was last done, and by whom. */
  readonly lastDone: (time: string, agent: string | undefined) => string
  /** Above the form: another confirmation of the same is running. */
  readonly lastRunning: (time: string, agent: string | undefined) => string
  /** Above the form: it is not known what came of the last confirmation of the same. */
  readonly lastUnknown: (time: string, agent: string | undefined) => string
  /** @default 'I have checked that it was not done.' */
  readonly checked: string
  /** The box was not ticked. @default 'Tick the box to confirm. Nothing was done.' */
  readonly notChecked: string
  /** Something happened after the form was opened. */
  readonly changedSince: string
  /** Below a receipt: who confirmed, and when. */
  readonly confirmedBy: (time: string, agent: string | undefined) => string
  /** Below a receipt: who stated what came of it; without an agent, the app found out. */
  readonly resolvedBy: (time: string, agent: string | undefined) => string
  /** Above the buttons of an agent who may say what came of it. */
  readonly resolve: string
  /** @default 'It was done' */
  readonly wasDone: string
  /** @default 'It was not done' */
  readonly wasNotDone: string
  /** It may still be done: an agent cannot know that it was not. */
  readonly tooEarly: (time: string) => string
  /** Above the values of a form that could not be sent. @default 'You entered' */
  readonly entered: string
  /** A link that opens the page again. @default 'Open it again' */
  readonly openAgain: string
  /** A link that opens the sign-in in a new tab. @default 'Sign in' */
  readonly signIn: string
  /** @default 'Sign out' */
  readonly signOut: string
  /** After that. @default 'You are signed out' */
  readonly signedOut: string
  readonly signedOutText: string
  /** The sign-in expired while the form was open. */
  readonly signInExpired: string
  /** The mark of a field that may stay empty. @default 'optional' */
  readonly optional: string
  /** @default 'Choose…' */
  readonly choose: string
  /** Above a form with invalid fields. @default 'Check the marked fields. Nothing was done.' */
  readonly checkFields: string
  /** @default 'Enter a value.' */
  readonly missingValue: string
  readonly tooLong: (maxLength: number) => string
  /** @default 'Enter a number.' */
  readonly notANumber: string
  /** Without one of the limits, it is `undefined`. They are texts, as the field shows them. */
  readonly outOfRange: (min: string | undefined, max: string | undefined) => string
  readonly notAStep: (step: string) => string
  /** A number that would be changed. @default 'This number has too many digits.' */
  readonly tooPrecise: string
  /** @default 'Enter a date.' */
  readonly notADate: string
  /** @default 'Tick this box.' */
  readonly notTicked: string
  /** @default 'Choose one of the options.' */
  readonly notAChoice: string
  /** @default 'Done' */
  readonly done: string
  /** @default 'Reload the sidebar to see the change.' */
  readonly reload: string
  /** @default 'Already done' */
  readonly alreadyDone: string
  /** @default 'In progress' */
  readonly inProgress: string
  readonly inProgressText: string
  /** @default 'Not done' */
  readonly notDone: string
  /** @default 'Outcome unknown' */
  readonly unknown: string
  readonly unknownText: string
  /** @default 'This link has expired' */
  readonly expired: string
  /** @default 'Reload the sidebar and open it again.' */
  readonly expiredText: string
  /** @default 'This link is not valid' */
  readonly invalid: string
  readonly invalidText: string
  /** @default 'Open this page from the sidebar' */
  readonly noLink: string
  /** For an agent who comes back from a sign-in that had expired. */
  readonly noLinkText: string
  /** @default 'Not allowed' */
  readonly forbidden: string
  readonly forbiddenText: (agent: string) => string
  readonly forbiddenAnyone: string
  readonly notSignedIn: string
  /** The form was loaded by another agent, or by another page. */
  readonly foreignForm: string
  /** @default 'Not available' */
  readonly unavailable: string
  readonly unavailableText: string
  /** `show` failed. */
  readonly failedText: string
  /** The receipt could not be stored. */
  readonly notStarted: string
  /** The label of the trace ID. @default 'Trace ID' */
  readonly traceId: string
}

/** The English texts. */
export const DEFAULT_ACTION_MESSAGES: ActionMessages = {
  lang: 'en',
  confirm: 'Confirm',
  signedInAs: (agent) => `Signed in as ${agent}`,
  lastDone: (time, agent) => `Last done: ${time}${by(agent)}.`,
  lastRunning: (time, agent) => `Confirmed${by(agent)}: ${time}. It is still running.`,
  lastUnknown: (time, agent) =>
    `Confirmed${by(agent)}: ${time}. It is not known whether it was done. Check before you do it again.`,
  checked: 'I have checked that it was not done.',
  notChecked: 'Tick the box to confirm. Nothing was done.',
  changedSince: 'Something has changed since you opened this page. Nothing was done.',
  confirmedBy: (time, agent) => `Confirmed${by(agent)}: ${time}`,
  resolvedBy: (time, agent) => `Checked${by(agent)}: ${time}`,
  resolve: 'If you have checked what came of it, say so:',
  wasDone: 'It was done',
  wasNotDone: 'It was not done',
  tooEarly: (time) => `It may still be done. Check again after ${time}.`,
  entered: 'You entered',
  openAgain: 'Open it again',
  signIn: 'Sign in',
  signOut: 'Sign out',
  signedOut: 'You are signed out',
  signedOutText: 'To sign in again, open a link in the sidebar.',
  signInExpired:
    'Your sign-in has expired. Nothing was done. Sign in in the new tab, then confirm here.',
  optional: 'optional',
  choose: 'Choose…',
  checkFields: 'Check the marked fields. Nothing was done.',
  missingValue: 'Enter a value.',
  tooLong: (maxLength) => `Enter at most ${maxLength} characters.`,
  notANumber: 'Enter a number.',
  outOfRange: (min, max) =>
    min === undefined
      ? `Enter at most ${max}.`
      : max === undefined
        ? `Enter at least ${min}.`
        : `Enter a value from ${min} to ${max}.`,
  notAStep: (step) => (step === '1' ? 'Enter a whole number.' : `Enter a multiple of ${step}.`),
  tooPrecise: 'This number has too many digits.',
  notADate: 'Enter a date.',
  notTicked: 'Tick this box.',
  notAChoice: 'Choose one of the options.',
  done: 'Done',
  reload: 'Reload the sidebar to see the change.',
  alreadyDone: 'Already done',
  inProgress: 'In progress',
  inProgressText: 'This was confirmed a moment ago. Nothing was done again.',
  notDone: 'Not done',
  unknown: 'Outcome unknown',
  unknownText: 'It is not known whether this was done. Check before you do it again.',
  expired: 'This link has expired',
  expiredText: 'Reload the sidebar and open it again.',
  invalid: 'This link is not valid',
  invalidText: 'Nothing was done. Reload the sidebar and open the link again.',
  noLink: 'Open this page from the sidebar',
  noLinkText: 'If your sign-in had just expired, nothing was done. Open the link again.',
  forbidden: 'Not allowed',
  forbiddenText: (agent) => `You are signed in as ${agent}, who may not do this.`,
  forbiddenAnyone: 'You may not do this.',
  notSignedIn: 'Your sign-in could not be checked. Nothing was done.',
  foreignForm: 'This form was not opened by you on this page. Nothing was done.',
  unavailable: 'Not available',
  unavailableText: 'This action is not set up completely. The log of the app says why.',
  failedText: 'This could not be loaded. Nothing was done. Try again in a moment.',
  notStarted: 'This could not be started. Nothing was done. Try again in a moment.',
  traceId: 'Trace ID',
}

function by(agent: string | undefined): string {
  return agent === undefined ? '' : ` by ${agent}`
}

/** Languages that are written from right to left. */
const RIGHT_TO_LEFT = /^(?:ar|arc|ckb|dv|fa|he|ku-arab|nqo|ps|sd|syr|ug|ur|yi)(?:-|$)/i

/** Returns the direction of a language. */
export function directionOf(lang: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.test(lang) ? 'rtl' : 'ltr'
}
