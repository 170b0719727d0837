import type { ComponentChildren } from 'preact'
import type { IssueView } from '../../emulator/protocol/workspace.ts'
import { classes } from '../core/classes.ts'
import { workspace } from '../core/workspace.ts'
import { Dot } from '../parts/dot.tsx'
import { Empty } from '../parts/empty.tsx'
import { Button } from '../parts/forms/button.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { issueError, issueId, isUnknownIssue, openIssue, STATE_TONES } from '../state/issue.ts'
import { routeHash } from '../state/request-as.ts'
import { sentParameters } from '../state/sent-parameters.ts'
import { Message } from './message.tsx'
import style from './conversation.module.css'

/** The open issue with its messages. */
export function Conversation() {
  const issue = openIssue.value
  if (issueId.value === null) {
    return (
      <Empty icon="issues" heading="h1" title="No issues">
        <p>The emulator has no data. Reset it under API and tasks.</p>
      </Empty>
    )
  }
  if (isUnknownIssue.value) {
    const [first] = workspace.value?.issues ?? []
    return (
      <Empty icon="issues" heading="h1" title="Issue not found">
        <p>
          No issue has the ID <code>{issueId.value}</code>. The data may have been reset.
        </p>
        {first !== undefined && (
          <Button href={routeHash('issues', first.id)}>Open the newest issue</Button>
        )}
      </Empty>
    )
  }
  if (issue === null) {
    return issueError.value === null ? (
      <Skeleton lines={8} label="Loading the issue" />
    ) : (
      <Empty icon="alert" heading="h1" title="Cannot load this issue">
        <p>{issueError.value}</p>
      </Empty>
    )
  }
  return (
    <div class={style.conversation}>
      <IssueHead issue={issue} />
      <div class="stack">
        {issue.messages.map((message) => (
          <Message key={message.id} message={message} />
        ))}
      </div>
    </div>
  )
}

function IssueHead({ issue }: { readonly issue: IssueView }) {
  return (
    <header class={style['issue-head']}>
      <p class={style['issue-number']}>
        <span class={style['state-word']}>
          <Dot tone={STATE_TONES[issue.state]} />
          {issue.state}
        </span>
        <span>#{issue.number}</span>
        <code>{issue.id}</code>
      </p>
      <h1 dir="auto">{issue.title}</h1>
      <dl class={style['issue-facts']}>
        <Fact name="Requester">
          <span dir="auto">{issue.requester.name}</span>
          <span class="muted"> {issue.requester.email}</span>
        </Fact>
        <Fact name="Account">{issue.account?.name ?? <span class="muted">none</span>}</Fact>
        <Fact name="Assignee">{issue.assignee?.name ?? <span class="muted">unassigned</span>}</Fact>
      </dl>
      <SentIds />
    </header>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt class="hint">{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  )
}

const HIDDEN = new Set(['request_type', 'app_id', 'widget_id'])

/** The IDs with which the widgets were requested. */
function SentIds() {
  if (sentParameters.value.size === 0) return null
  const sent = [...sentParameters.value].filter(([name]) => !HIDDEN.has(name))
  const shown = sent.length > 0 ? sent : [['IDs sent', 'none'] as const]
  return (
    <dl class={classes(style['sent-ids'], 'mono')} aria-label="IDs sent to the apps">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt class="muted">{name}</dt>
          <dd class="ellipsis" dir="ltr" title={value}>
            {value === '' ? <span class="muted">empty</span> : value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
