import type { ActionMessages } from '../actions/messages.ts'
import type { Messages } from '../app/messages.ts'

/**
 * The German texts of a sidebar, for the option `messages` of `sidecard()`.
 *
 * @example
 * import { sidebar } from 'sidecard/messages/de'
 * export const messages = { ...sidebar, notFound: 'Kein Kunde' }
 *
 * @see docs/guides/another-language.md
 */
export const sidebar: Messages = {
  unavailable: 'Nicht verfügbar',
  failed: 'Die Daten konnten nicht geladen werden. Versuchen Sie es gleich noch einmal.',
  invalid: 'Diese Daten können nicht angezeigt werden. Melden Sie die Trace-ID.',
  timedOut: 'Das Laden hat zu lange gedauert. Versuchen Sie es gleich noch einmal.',
  traceId: 'Trace-ID',
  asOf: 'Stand',
  notAvailable: 'Für diese Anfrage nicht verfügbar',
  reason: 'Grund',
  missingId: (name) =>
    `Diese Anfrage hat keine ${name}. Deshalb kann hier nichts angezeigt werden.`,
  notFound: 'Kunde nicht gefunden',
  notFoundReason: (names) => `Zur ${join(names)} dieser Anfrage wurde kein Kunde gefunden.`,
  nothingToSearchBy: (names) =>
    `Diese Anfrage hat keine ${join(names)}, nach der gesucht werden kann.`,
  ambiguous: 'Mehrere Kunden gefunden',
  ambiguousReason: (count, name) => `Zur ${name} dieser Anfrage wurden ${count} Kunden gefunden.`,
  candidate: 'Möglicher Kunde',
  moreCandidates: (count) => `und ${count} weitere`,
  ids: {
    app_id: 'App-ID',
    widget_id: 'Widget-ID',
    issue_id: 'Anfrage-ID',
    organization_id: 'Organisations-ID',
    account_id: 'Konto-ID',
    requester_id: 'Absender-ID',
    requester_email: 'E-Mail-Adresse des Absenders',
    email_domain: 'E-Mail-Domain',
  },
}

/**
 * The German texts of the pages of actions, for the option `messages` of `actions()`.
 *
 * @example
 * import { page } from 'sidecard/messages/de'
 * export const messages = { ...page, done: 'Fertig' }
 *
 * @see docs/guides/another-language.md
 */
export const page: ActionMessages = {
  lang: 'de',
  review: 'Prüfen',
  change: 'Ändern',
  reviewChanged:
    'Die Angaben haben sich seit der letzten Prüfung geändert. Prüfen Sie sie noch einmal. Es wurde nichts ausgeführt.',
  yes: 'Ja',
  no: 'Nein',
  signedInAs: (agent) => `Angemeldet als ${agent}`,
  lastDone: (time, agent) => `Zuletzt ausgeführt${by(agent)}: ${time}.`,
  lastNotDone: (time, agent) =>
    `Der letzte Vorgang wurde nicht ausgeführt. Geprüft${by(agent)}: ${time}.`,
  changedSince:
    'Seit Sie diese Seite geöffnet haben, hat sich etwas geändert. Es wurde nichts ausgeführt.',
  confirmedBy: (time, agent) => `Bestätigt${by(agent)}: ${time}`,
  setBy: (time, agent) => `Geprüft${by(agent)}: ${time}`,
  resolve: 'Wenn Sie das Ergebnis kennen, tragen Sie es ein:',
  wasDone: 'Es wurde ausgeführt',
  wasNotDone: 'Es wurde nicht ausgeführt',
  mayStillHappen: (time) =>
    `Der Vorgang wird möglicherweise noch ausgeführt. Sehen Sie ${time} noch einmal nach.`,
  notStored:
    'Der Beleg konnte noch nicht gespeichert werden. Bis dahin sehen andere dieses Ergebnis nicht.',
  entered: 'Ihre Eingaben',
  openAgain: 'Noch einmal öffnen',
  signIn: 'Anmelden',
  signOut: 'Abmelden',
  signedOut: 'Sie sind abgemeldet',
  signedOutText: 'Um sich wieder anzumelden, öffnen Sie einen Link in der Seitenleiste.',
  signInExpired:
    'Ihre Anmeldung ist abgelaufen. Es wurde nichts ausgeführt. Melden Sie sich im neuen Tab an, und bestätigen Sie dann hier.',
  optional: 'optional',
  choose: 'Auswählen …',
  checkFields: 'Prüfen Sie die markierten Felder. Es wurde nichts ausgeführt.',
  missingValue: 'Geben Sie einen Wert ein.',
  tooLong: (maxLength) => `Geben Sie höchstens ${maxLength} Zeichen ein.`,
  notANumber: 'Geben Sie eine Zahl ein.',
  ambiguousNumber: (entered, grouped, decimal) =>
    `${entered} kann ${grouped} oder ${decimal} bedeuten. Geben Sie ${grouped} oder ${decimal}0 ein.`,
  wrongCurrency: (currency) => `Geben Sie den Betrag in ${currency} ein.`,
  outOfRange: (min, max) =>
    min === undefined
      ? `Geben Sie höchstens ${max} ein.`
      : max === undefined
        ? `Geben Sie mindestens ${min} ein.`
        : `Geben Sie einen Wert von ${min} bis ${max} ein.`,
  notAStep: (step) =>
    step === '1' ? 'Geben Sie eine ganze Zahl ein.' : `Geben Sie ein Vielfaches von ${step} ein.`,
  tooPrecise: 'Diese Zahl hat zu viele Stellen.',
  notADate: 'Geben Sie ein Datum ein.',
  notChecked: 'Setzen Sie das Häkchen.',
  notAChoice: 'Wählen Sie eine der Möglichkeiten.',
  done: 'Erledigt',
  reload: 'Laden Sie die Seitenleiste neu, um die Änderung zu sehen.',
  alreadyDone: 'Bereits erledigt',
  inProgress: 'Wird gerade ausgeführt',
  inProgressText: 'Der Vorgang wurde gerade bestätigt. Er wurde nicht noch einmal ausgeführt.',
  notDone: 'Nicht ausgeführt',
  unknown: 'Ergebnis unbekannt',
  unknownText:
    'Wir wissen nicht, ob der Vorgang ausgeführt wurde. Prüfen Sie das, bevor Sie noch einmal bestätigen.',
  expired: 'Dieser Link ist abgelaufen',
  expiredText: 'Laden Sie die Seitenleiste neu, und öffnen Sie den Link dort noch einmal.',
  invalid: 'Dieser Link ist ungültig',
  invalidText:
    'Es wurde nichts ausgeführt. Laden Sie die Seitenleiste neu, und öffnen Sie den Link noch einmal.',
  removedText:
    'Diese Aktion gibt es nicht mehr. Es wurde nichts ausgeführt. Laden Sie die Seitenleiste neu.',
  noLink: 'Öffnen Sie diese Seite aus der Seitenleiste',
  noLinkText:
    'Falls Ihre Anmeldung gerade abgelaufen ist, wurde nichts ausgeführt. Öffnen Sie den Link noch einmal.',
  forbidden: 'Nicht erlaubt',
  forbiddenText: (agent) => `Sie sind als ${agent} angemeldet und dürfen das nicht ausführen.`,
  forbiddenAnyone: 'Sie dürfen das nicht ausführen.',
  notSignedIn: 'Ihre Anmeldung konnte nicht geprüft werden. Es wurde nichts ausgeführt.',
  otherAccount:
    'Dieses Konto darf sich hier nicht anmelden. Es wurde nichts ausgeführt. Melden Sie sich mit Ihrem Firmenkonto an.',
  tooManyGroups:
    'Ihr Konto ist Mitglied in zu vielen Gruppen. Es wurde nichts ausgeführt. Bitten Sie Ihre Administration, dieser App Gruppen zuzuweisen.',
  groupsUnknown:
    'Aus Ihrer Anmeldung geht nicht hervor, in welchen Gruppen Sie sind. Es wurde nichts ausgeführt. Wenden Sie sich an Ihre Administration.',
  foreignForm: 'Dieses Formular kam nicht von dieser Seite. Es wurde nichts ausgeführt.',
  otherAgent:
    'Beim Öffnen dieses Formulars war jemand anderes angemeldet. Es wurde nichts ausgeführt. Öffnen Sie den Link noch einmal.',
  hiddenOrigin:
    'Ihr Browser hat nicht mitgeteilt, von welcher Seite dieses Formular kommt. Es wurde nichts ausgeführt. Wenden Sie sich an Ihre Administration.',
  unavailable: 'Nicht verfügbar',
  unavailableText:
    'Diese Aktion ist nicht vollständig eingerichtet. Der Grund steht im Log der App.',
  failedText:
    'Die Seite konnte nicht geladen werden. Es wurde nichts ausgeführt. Versuchen Sie es gleich noch einmal.',
  notStarted:
    'Der Vorgang konnte nicht gestartet werden. Es wurde nichts ausgeführt. Versuchen Sie es gleich noch einmal.',
  unreadable: 'Das Formular konnte nicht gelesen werden',
  unreadableText:
    'Es wurde nichts ausgeführt. Laden Sie die Seitenleiste neu, und öffnen Sie den Link noch einmal.',
  traceId: 'Trace-ID',
}

function by(agent: string | undefined): string {
  return agent === undefined ? '' : ` von ${agent}`
}

function join(names: readonly string[]): string {
  return new Intl.ListFormat('de', { type: 'disjunction' }).format(names)
}
