import { func, readOptions, string, text, withDefault } from '../internal/read-options.ts'
import { callUserCode } from '../internal/user-code.ts'

/** The English texts, with the purpose of each one. */
export const DEFAULT_ACTION_MESSAGES = {
  /** The language of the texts, a BCP 47 tag. The direction of the page follows it. @default 'en' */
  lang: 'en',
  /** The button that leads to the review. @default 'Review' */
  review: 'Review',
  /** The button of the review that leads back to the form. @default 'Change' */
  change: 'Change',
  /** The summary or the values differ from those that the agent has read. */
  reviewChanged: 'This has changed since you read it. Check it again. Nothing was done.',
  /** How the review shows a checkbox. @default 'Yes' */
  yes: 'Yes',
  /** @default 'No' */
  no: 'No',
  /** Says who is signed in. */
  signedInAs: (agent: string): string => `Signed in as ${agent}`,
  /** Above the form: when the same action was last done, and by whom. */
  lastDone: (time: string, agent: string | undefined): string => `Last done: ${time}${by(agent)}.`,
  /** Above the form: who stated that the last confirmation did nothing. Without an agent, `lookUp` did. */
  lastNotDone: (time: string, agent: string | undefined): string =>
    `The last confirmation did not go through. Checked${by(agent)}: ${time}.`,
  /** Something happened after the form was opened. */
  changedSince: 'Something has changed since you opened this page. Nothing was done.',
  /** Below a receipt: who confirmed, and when. */
  confirmedBy: (time: string, agent: string | undefined): string =>
    `Confirmed${by(agent)}: ${time}`,
  /** Below a receipt: who stated the outcome. Without an agent, `lookUp` returned it. */
  setBy: (time: string, agent: string | undefined): string => `Checked${by(agent)}: ${time}`,
  /** Above the buttons of an agent who may state the outcome. */
  resolve: 'If you know the outcome, state it:',
  /** @default 'It went through' */
  wasDone: 'It went through',
  /** @default 'It did not go through' */
  wasNotDone: 'It did not go through',
  /** Shown while an effect of `run` can still happen. */
  mayStillHappen: (time: string): string => `This may still go through. Check again ${time}.`,
  /** The store failed when `run` had ended. The process still tries to write the outcome. */
  notStored:
    'The receipt could not be stored yet. Until then, other agents do not see this outcome.',
  /** Above the values of a form that could not be sent. @default 'You entered' */
  entered: 'You entered',
  /** A link that opens the page again. @default 'Open it again' */
  openAgain: 'Open it again',
  /** A link that opens the sign-in in a new tab. @default 'Sign in' */
  signIn: 'Sign in',
  /** @default 'Sign out' */
  signOut: 'Sign out',
  /** The heading after a sign-out. @default 'You are signed out' */
  signedOut: 'You are signed out',
  signedOutText: 'To sign in again, open a link in the sidebar.',
  /** The sign-in expired while the form was open. */
  signInExpired:
    'Your sign-in has expired. Nothing was done. Sign in in the new tab, then confirm here.',
  /** The mark of a field that may stay empty. @default 'optional' */
  optional: 'optional',
  /** @default 'Choose…' */
  choose: 'Choose…',
  /** Above a form with invalid fields. @default 'Check the marked fields. Nothing was done.' */
  checkFields: 'Check the marked fields. Nothing was done.',
  /** @default 'Enter a value.' */
  missingValue: 'Enter a value.',
  tooLong: (maxLength: number): string => `Enter at most ${maxLength} characters.`,
  /** @default 'Enter a number.' */
  notANumber: 'Enter a number.',
  /**
   * Shown for a number such as `1.234`, with its readings `1,234.00` and `1.234`. If a
   * zero is added, the second reading is no longer ambiguous.
   */
  ambiguousNumber: (entered: string, grouped: string, decimal: string): string =>
    `${entered} can mean ${grouped} or ${decimal}. Enter ${grouped} or ${decimal}0.`,
  /** Shown for an amount with the symbol or the code of a different currency. */
  wrongCurrency: (currency: string): string => `Enter the amount in ${currency}.`,
  /** The limits as the field shows them; `undefined` for a missing one. */
  outOfRange: (min: string | undefined, max: string | undefined): string =>
    min === undefined
      ? `Enter at most ${max}.`
      : max === undefined
        ? `Enter at least ${min}.`
        : `Enter a value from ${min} to ${max}.`,
  notAStep: (step: string): string =>
    step === '1' ? 'Enter a whole number.' : `Enter a multiple of ${step}.`,
  /**
   * Shown for a number that JavaScript would change. @default 'This number has too
   * many digits.'
   */
  tooPrecise: 'This number has too many digits.',
  /** @default 'Enter a date.' */
  notADate: 'Enter a date.',
  /** @default 'Check this box.' */
  notChecked: 'Check this box.',
  /** @default 'Choose one of the options.' */
  notAChoice: 'Choose one of the options.',
  /** @default 'Done' */
  done: 'Done',
  /** @default 'Reload the sidebar to see the change.' */
  reload: 'Reload the sidebar to see the change.',
  /** @default 'Already done' */
  alreadyDone: 'Already done',
  /** @default 'In progress' */
  inProgress: 'In progress',
  inProgressText: 'This was confirmed a moment ago. Nothing was done again.',
  /** @default 'Not done' */
  notDone: 'Not done',
  /** @default 'Outcome unknown' */
  unknown: 'Outcome unknown',
  unknownText: "We don't know whether it went through. Check before you confirm again.",
  /** @default 'This link has expired' */
  expired: 'This link has expired',
  /** @default 'Reload the sidebar and open it again.' */
  expiredText: 'Reload the sidebar and open it again.',
  /** @default 'This link is not valid' */
  invalid: 'This link is not valid',
  invalidText: 'Nothing was done. Reload the sidebar and open the link again.',
  /** The app no longer has the action of the link. */
  removedText: 'This action no longer exists. Nothing was done. Reload the sidebar.',
  /** @default 'Open this page from the sidebar' */
  noLink: 'Open this page from the sidebar',
  /** Shown to an agent who returns from a sign-in after the previous one had expired. */
  noLinkText: 'If your sign-in had just expired, nothing was done. Open the link again.',
  /** @default 'Not allowed' */
  forbidden: 'Not allowed',
  forbiddenText: (agent: string): string => `You are signed in as ${agent}, who may not do this.`,
  forbiddenAnyone: 'You may not do this.',
  notSignedIn: 'Your sign-in could not be checked. Nothing was done.',
  /** The account lacks a claim that the app requires. */
  otherAccount:
    'This account may not sign in here. Nothing was done. Sign in with your work account.',
  /** The token says that it has too many groups to list them. */
  tooManyGroups:
    'You are in too many groups for this sign-in. Nothing was done. Ask your administrator to assign groups to this app.',
  /** The sign-in does not say in which groups the agent is. */
  groupsUnknown:
    'Your sign-in does not say which groups you are in. Nothing was done. Ask your administrator.',
  /** A different page sent the form. */
  foreignForm: 'You did not open this form on this page. Nothing was done.',
  /** A different agent loaded the form. */
  otherAgent:
    'Somebody else was signed in when this form was opened. Nothing was done. Open the link again.',
  /** The browser sent `Origin: null` over plain HTTP. */
  hiddenOrigin:
    'Your browser did not say which page sent this form. Nothing was done. Ask your administrator.',
  /** @default 'Not available' */
  unavailable: 'Not available',
  unavailableText: 'This action is not set up completely. The log of the app says why.',
  /** `show` failed. */
  failedText: 'This could not be loaded. Nothing was done. Try again in a moment.',
  /** The receipt could not be stored. */
  notStarted: 'This could not be started. Nothing was done. Try again in a moment.',
  /** The heading if the form could not be read. @default 'The form could not be read' */
  unreadable: 'The form could not be read',
  /** The text if the form could not be read. */
  unreadableText: 'Nothing was done. Reload the sidebar and open the link again.',
  /** The label of the trace ID. @default 'Trace ID' */
  traceId: 'Trace ID',
}

/**
 * The texts of an action's page, to replace or translate. Functions return whole
 * sentences, so that each language can order its words.
 */
export type ActionMessages = Readonly<typeof DEFAULT_ACTION_MESSAGES>

/** Reads the messages. Each has the type of its default, which replaces a function that fails. */
export function readMessages(options: Partial<ActionMessages>): ActionMessages {
  const kinds = Object.entries(DEFAULT_ACTION_MESSAGES).map(([name, fallback]) => {
    if (typeof fallback === 'string') {
      return [name, withDefault(name === 'lang' ? text : string, fallback)]
    }
    const convert = (create: AnyMessage) => guardMessage(create, fallback)
    return [name, { ...func, fallback, convert }]
  })
  const known = Object.fromEntries(kinds) as never
  return readOptions('actions', options, known, 'messages.')
}

type AnyMessage = (...args: never[]) => unknown

function guardMessage(create: AnyMessage, english: AnyMessage): AnyMessage {
  const read = (result: unknown) => (typeof result === 'string' ? result : undefined)
  return (...args) => callUserCode(() => create(...args), read) ?? english(...args)
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
