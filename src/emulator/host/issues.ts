import type { Message, Tag, User } from '../../contract/resources.ts'
import type { FetchDataIds } from '../../desk/query.ts'
import { SidecardError } from '../../errors.ts'
import type {
  IssueSummary,
  IssueView,
  MessageView,
  OpenBody,
  OpenedWidgets,
  WidgetView,
} from '../protocol.ts'
import { KINDS, type StoredIssue } from '../seed/documents.ts'
import type { Account } from '../seed/seed.ts'
import { ORGANIZATION } from '../seed/seeds.ts'
import type { Store } from '../store/store.ts'
import type { AppRecord } from './app-record.ts'
import { excerptOf } from './excerpt.ts'
import type { Host } from './host.ts'
import { findScenario, type Scenario } from './scenarios.ts'

/** The issues of an emulator. */
export interface EmulatorIssues {
  /** Newest first. */
  list(): readonly IssueSummary[]
  /** @throws {SidecardError} `not_found` */
  get(issueId: string): IssueView
  /**
   * Opens an issue as an agent does: every widget of every app is asked, side by side.
   *
   * @throws {SidecardError} `not_found`, `unknown_scenario`
   */
  open(issueId: string, options?: OpenBody): Promise<OpenedWidgets>
  /**
   * Asks one widget.
   *
   * @throws {SidecardError} `not_found`, `unknown_scenario`
   */
  loadWidget(issueId: string, widgetId: string, options?: OpenBody): Promise<WidgetView>
}

/** What the issues stand on. */
export interface IssuesOptions {
  readonly store: Store
  readonly host: Host
  readonly apps: () => readonly AppRecord[]
}

/** The issues over the stored data. */
export function createIssues({ store, host, apps }: IssuesOptions): EmulatorIssues {
  function stored(issueId: string): StoredIssue {
    const found = store.get(KINDS.issue, issueId) as StoredIssue | undefined
    if (found === undefined) throw new SidecardError('not_found', 'There is no issue with this id.')
    return found
  }

  function summary(issue: StoredIssue, messages: readonly Message[]): IssueSummary {
    const { id, number, title, state, account_id, requester_id, assignee_id, tag_ids } = issue
    const newest = messages.at(-1)
    const tags = tag_ids.flatMap((tagId) => {
      const tag = store.get('tag', tagId) as Tag | undefined
      return tag === undefined
        ? []
        : [{ value: tag.value ?? '', hexColor: tag.hex_color ?? '#888888' }]
    })
    return {
      id,
      number,
      title,
      state,
      account:
        account_id === null
          ? null
          : ((store.get(KINDS.account, account_id) as Account | undefined) ?? null),
      requester: person(requester_id),
      assignee: assignee_id === null ? null : person(assignee_id),
      tags,
      preview: excerptOf(newest?.message_html ?? ''),
      updatedAt: newest?.timestamp ?? issue.created_at,
    }
  }

  function person(userId: string) {
    const user = store.get('user', userId) as User | undefined
    return { id: userId, name: user?.name ?? '', email: user?.email ?? '' }
  }

  const messagesOf = (issueId: string) => store.all(KINDS.message, issueId) as readonly Message[]

  /** The contract's seven ids of an issue and a widget. */
  function idsOf(issue: StoredIssue, app: AppRecord, widgetId: string): FetchDataIds {
    return {
      app_id: app.id,
      widget_id: widgetId,
      issue_id: issue.id,
      organization_id: ORGANIZATION.id,
      account_id: issue.account_id ?? '',
      requester_id: issue.requester_id,
      requester_email: person(issue.requester_id).email,
    }
  }

  function load(issue: StoredIssue, app: AppRecord, widgetId: string, scenario: Scenario) {
    const ids = scenario.ids(idsOf(issue, app, widgetId))
    return host.load({ app, widgetId, issueId: issue.id, ids, scenario })
  }

  return {
    list: () =>
      (store.all(KINDS.issue) as readonly StoredIssue[])
        .map((issue) => summary(issue, messagesOf(issue.id)))
        .sort((left, right) => (left.updatedAt < right.updatedAt ? 1 : -1)),
    get(issueId) {
      const issue = stored(issueId)
      const messages = messagesOf(issueId)
      return {
        ...summary(issue, messages),
        createdAt: issue.created_at,
        messages: messages.map(messageView),
      }
    },
    async open(issueId, options) {
      const issue = stored(issueId)
      const scenario = scenarioOf(options)
      const loads = apps().flatMap((app) =>
        app.widgets.map(({ id }) => load(issue, app, id, scenario)),
      )
      return { issueId, widgets: await Promise.all(loads) }
    },
    async loadWidget(issueId, widgetId, options) {
      const issue = stored(issueId)
      const app = apps().find(({ widgets }) => widgets.some(({ id }) => id === widgetId))
      if (app === undefined) {
        throw new SidecardError('not_found', 'There is no widget with this id.')
      }
      return load(issue, app, widgetId, scenarioOf(options))
    },
  }
}

function scenarioOf({ scenario = 'as-is' }: OpenBody = {}): Scenario {
  const found = findScenario(scenario)
  if (found !== undefined) return found
  throw new SidecardError(
    'unknown_scenario',
    'There is no such scenario: the state of the workspace lists them.',
  )
}

function messageView(message: Message): MessageView {
  const { id, thread_id, timestamp, message_html, is_private, source, file_urls, author } = message
  return {
    id: id ?? '',
    thread_id: thread_id ?? '',
    timestamp: timestamp ?? '',
    message_html: message_html ?? '',
    is_private: is_private ?? false,
    source: source ?? '',
    file_urls: file_urls ?? [],
    author: {
      name: author?.name ?? '',
      avatar_url: author?.avatar_url ?? '',
      ...(author?.contact !== undefined && { contact: contactOf(author.contact) }),
      ...(author?.user !== undefined && { user: contactOf(author.user) }),
    },
    // Nothing in the contract marks a redacted message (A15); ours is the only empty one.
    redacted: message_html === '',
  }
}

function contactOf({ id, email }: { id?: string | undefined; email?: string | undefined }) {
  return { id: id ?? '', email: email ?? '' }
}
