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
  /** Says when the action was last done with the same input. */
  readonly lastDone: (time: string) => string
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
  readonly outOfRange: (min: number | undefined, max: number | undefined) => string
  readonly notAStep: (step: number) => string
  /** @default 'Choose one of the options.' */
  readonly notAChoice: string
  /** @default 'Done' */
  readonly done: string
  /** @default 'Reload the sidebar to see the change.' */
  readonly reload: string
  /** @default 'Already done' */
  readonly alreadyDone: string
  readonly alreadyDoneAt: (time: string) => string
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
  /** The claim could not be stored. */
  readonly notStarted: string
  /** The label of the trace ID. @default 'Trace ID' */
  readonly traceId: string
}

/** The English texts. */
export const DEFAULT_ACTION_MESSAGES: ActionMessages = {
  lang: 'en',
  confirm: 'Confirm',
  signedInAs: (agent) => `Signed in as ${agent}`,
  lastDone: (time) => `Last done: ${time}`,
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
        : `Enter a number from ${min} to ${max}.`,
  notAStep: (step) => (step === 1 ? 'Enter a whole number.' : `Enter a multiple of ${step}.`),
  notAChoice: 'Choose one of the options.',
  done: 'Done',
  reload: 'Reload the sidebar to see the change.',
  alreadyDone: 'Already done',
  alreadyDoneAt: (time) => `This was done at ${time}. Nothing was done again.`,
  inProgress: 'In progress',
  inProgressText: 'Someone confirmed this a moment ago. Open the link again to see the result.',
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

/** Languages that are written from right to left. */
const RIGHT_TO_LEFT = /^(?:ar|arc|ckb|dv|fa|he|ku-arab|nqo|ps|sd|syr|ug|ur|yi)(?:-|$)/i

/** Returns the direction of a language. */
export function directionOf(lang: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.test(lang) ? 'rtl' : 'ltr'
}
