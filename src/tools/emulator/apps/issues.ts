import type { FetchDataIds } from '../../service/endpoint/query.ts'
import { SidecardError } from '../../../runtime/internal/errors.ts'
import {
  flag,
  isRecord,
  kind,
  oneOf,
  readOptions,
  record,
  string,
  withDefault,
} from '../../../runtime/internal/read-options.ts'
import type { IssueSummary, IssueView, MessageView } from '../protocol/workspace.ts'
import type {
  CheckInput,
  ExportOptions,
  OpenedWidgets,
  OpenIssueOptions,
  StatesRun,
  WidgetView,
} from '../protocol/widgets.ts'
import type { CustomIds, ExchangeGroup } from '../protocol/exchanges.ts'
import type { AppRecord, DatasetMessage, StoredIssue } from '../store/documents.ts'
import type { EmulatorContext } from '../core/context.ts'
import { createActionPages } from './action-pages.ts'
import type { AppConnector } from './app-connector.ts'
import { conditionsKind } from '../../service/testing/section-conditions.ts'
import { assertCustomIds, replaceIds } from '../core/custom-ids.ts'
import { exportStates } from './export-states.ts'
import { createExcerpt } from './excerpt.ts'

/** The issues, for the control interface. */
export type IssueRegistry = ReturnType<typeof createIssues>

/** The issues of an emulator. */
export interface EmulatorIssues extends Omit<IssueRegistry, 'readIds' | 'actionPage'> {}

const GROUP_ID = /^[\w-]{1,64}$/
const GROUPS = oneOf('open', 'save', 'states')

const OPEN_KINDS = {
  customer: string,
  state: string,
  params: withDefault<CustomIds>(record, {}),
  sections: conditionsKind,
  group: kind<ExchangeGroup>(
    'an object with an ID of letters, digits, _ and -, and a kind of group',
    (value) =>
      isRecord(value) && GROUP_ID.test(String(value['id'])) && GROUPS.accepts(value['kind']),
  ),
}

const EXPORT_KINDS = { anonymize: withDefault(flag, true) }
const CHECK_KINDS = { customer: string, params: OPEN_KINDS.params }

/** Creates the issues of an emulator. */
export function createIssues(context: EmulatorContext, connector: AppConnector) {
  const { store, data, project, newId } = context
  const apps = () => store.all('app')
  const pages = createActionPages(context)
  const stored = (issueId: string) => store.find('issue', issueId)

  function summary(issue: StoredIssue): IssueSummary {
    const { id, number, title, state, account_id, requester_id, assignee_id, tag_ids } = issue
    const newest = store.all('message', id).at(-1)
    const tags = tag_ids.map((tagId) => store.get('tag', tagId)).filter((tag) => tag !== undefined)
    return {
      id,
      number,
      title,
      state,
      account: store.get('account', account_id ?? '') ?? null,
      requester: person(requester_id),
      assignee: assignee_id === null ? null : person(assignee_id),
      tags: tags.map(({ value = '', hex_color = '#888888' }) => ({ value, hexColor: hex_color })),
      preview: createExcerpt(newest?.message_html ?? ''),
      updatedAt: newest?.timestamp ?? issue.created_at,
    }
  }

  function person(userId: string) {
    const user = store.get('user', userId)
    return { id: userId, name: user?.name ?? '', email: user?.email ?? '' }
  }

  /** Returns the contract's seven IDs for an issue and a widget. */
  function readIds(issue: StoredIssue, app: AppRecord, widgetId: string): FetchDataIds {
    return {
      app_id: app.id,
      widget_id: widgetId,
      issue_id: issue.id,
      organization_id: data.organization().id,
      account_id: issue.account_id ?? '',
      requester_id: issue.requester_id,
      requester_email: person(issue.requester_id).email,
    }
  }

  /**
   * Returns the customer or state for which an issue is requested. An issue of the
   * project belongs to its customer.
   */
  function findSubject(issue: StoredIssue, options: Pick<OpenIssueOptions, 'customer' | 'state'>) {
    const own = project.customers().find(({ name }) => name === issue.customer)?.name
    const isChosen = options.customer !== undefined || options.state !== undefined
    const subject = project.resolve(isChosen ? options : { customer: own })
    const name = store.get('account', issue.account_id ?? '')?.name
    const customer = subject.ids === null ? (name ?? person(issue.requester_id).name) : null
    return { ...subject, customer: subject.customer ?? customer }
  }

  /** Replaces all IDs of the issue that identify a customer with those of the given one. */
  function replaceCustomer(ids: FetchDataIds, customer: FetchDataIds | null): FetchDataIds {
    if (customer === null) return ids
    const { account_id: _a, requester_id: _r, requester_email: _e, ...others } = ids
    return { ...others, ...customer }
  }

  /** Resolves the options before any request, so that an invalid option sends nothing. */
  function createLoader(caller: string, issue: StoredIssue, openOptions: OpenIssueOptions) {
    const { params, group, ...options } = readOptions(caller, openOptions, OPEN_KINDS)
    assertCustomIds(caller, params)
    const { customer, state, ids: own, sections: conditions } = findSubject(issue, options)
    const sections = options.sections ?? conditions
    const purpose = {
      issueId: issue.id,
      customer,
      state,
      sections: Object.keys(sections).length === 0 ? null : sections,
      isCustom: options.sections !== undefined || Object.keys(params).length > 0,
      group: group ?? { id: newId('grp'), kind: 'open' },
    } as const
    return (app: AppRecord, widgetId: string) => {
      const ids = replaceIds(replaceCustomer(readIds(issue, app, widgetId), own), params)
      return connector.load({ app, ids, purpose: { ...purpose, widgetId } })
    }
  }

  async function open(issueId: string, options: OpenIssueOptions = {}): Promise<OpenedWidgets> {
    const load = createLoader('emulator.issues.open', stored(issueId), options)
    const loads = apps().flatMap((app) => app.widgets.map(({ id }) => load(app, id)))
    return { issueId, widgets: await Promise.all(loads) }
  }

  async function openStates(issueId: string): Promise<StatesRun> {
    stored(issueId)
    const group: ExchangeGroup = { id: newId('grp'), kind: 'states' }
    const entries = [
      ...project.customers().map(({ name }) => ({ kind: 'customer', name, actions: {} }) as const),
      ...project.states().map(({ name, actions }) => ({ kind: 'state', name, actions }) as const),
    ]
    const states: StatesRun['states'][number][] = []
    for (const entry of entries) {
      // oxlint-disable-next-line no-await-in-loop -- concurrent states would slow each other down
      const { widgets } = await open(issueId, { [entry.kind]: entry.name, group })
      const wanted = Object.entries(entry.actions)
      // oxlint-disable-next-line no-await-in-loop -- as above
      const actions = await Promise.all(
        wanted.map(([label, state]) => pages.open(widgets, label, state)),
      )
      states.push({ kind: entry.kind, name: entry.name, widgets, actions })
    }
    return { issueId, group, states }
  }

  return {
    /** Newest first. If two issues have the same time, the higher number comes first. */
    list: (): readonly IssueSummary[] => store.all('issue').map(summary).sort(byNewest),
    /** @throws {SidecardError} `not_found` */
    get(issueId: string): IssueView {
      const issue = stored(issueId)
      const messages = store.all('message', issueId).map(toMessageView)
      return { ...summary(issue), createdAt: issue.created_at, messages }
    },
    /**
     * Opens an issue as an agent does: loads every widget of every app in parallel.
     *
     * @throws {SidecardError} `not_found`, `invalid_options`
     */
    open,
    /**
     * Opens an issue as every customer and in every state of the project, one after
     * another.
     *
     * @throws {SidecardError} `not_found`
     */
    openStates,
    /**
     * Opens the issue like `openStates()`, and returns one HTML page with all states
     * side by side.
     *
     * @throws {SidecardError} `not_found`, `invalid_options`
     */
    async exportStates(issueId: string, options: ExportOptions = {}) {
      const { anonymize } = readOptions('emulator.issues.exportStates', options, EXPORT_KINDS)
      return { html: await exportStates(await openStates(issueId), anonymize, pages) }
    },
    /** Returns the page of an action that a run over all states opened. */
    actionPage: (id: string) => pages.get(id),
    /**
     * Returns the IDs that an app receives for an issue.
     *
     * @throws {SidecardError} `not_found`
     */
    readIds(appId: string, issueId: string, replaced: Omit<CheckInput, 'issueId'>): FetchDataIds {
      const { customer, params } = readOptions('emulator.apps.check', replaced, CHECK_KINDS)
      assertCustomIds('emulator.apps.check', params)
      const app = apps().find(({ id }) => id === appId)
      if (app === undefined) return {}
      const issue = stored(issueId)
      const ids = readIds(issue, app, app.widgets[0]?.id ?? '')
      return replaceIds(replaceCustomer(ids, findSubject(issue, { customer }).ids), params)
    },
    /**
     * Loads one widget.
     *
     * @throws {SidecardError} `not_found`, `invalid_options`
     */
    async loadWidget(
      issueId: string,
      widgetId: string,
      options: OpenIssueOptions = {},
    ): Promise<WidgetView> {
      const issue = stored(issueId)
      const app = apps().find(({ widgets }) => widgets.some(({ id }) => id === widgetId))
      if (app === undefined) throw new SidecardError('not_found', 'No widget has this ID.')
      return createLoader('emulator.issues.loadWidget', issue, options)(app, widgetId)
    },
  }
}

function byNewest(left: IssueSummary, right: IssueSummary): number {
  return right.updatedAt.localeCompare(left.updatedAt) || right.number - left.number
}

function toMessageView({ email_info: _info, ...message }: DatasetMessage): MessageView {
  // The contract does not say how a redacted message is marked (A15). In the emulator, only
  // redacted messages are empty.
  return { ...message, redacted: message.message_html === '' }
}
