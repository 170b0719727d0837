import type { ComponentChildren } from 'preact'
import type { IssueView } from '../../protocol.ts'
import { Empty } from '../parts/empty.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { issueError, issueId, openIssue } from '../state/issue.ts'
import { Message } from './message.tsx'

/** The open issue with its messages. */
export function Conversation() {
  const issue = openIssue.value
  if (issueId.value === null) {
    return (
      <Empty icon="issues" heading="h1" title="No issue to open">
        <p>This emulator was started with an empty seed. Reset it with data under API.</p>
      </Empty>
    )
  }
  if (issue === null) {
    return issueError.value === null ? (
      <Skeleton lines={8} label="Loading the issue" />
    ) : (
      <Empty icon="alert" heading="h1" title="This issue cannot be shown">
        <p>{issueError.value}</p>
      </Empty>
    )
  }
  return (
    <div class="conversation">
      <IssueHead issue={issue} />
      <div class="messages">
        {issue.messages.map((message) => (
          <Message key={message.id} issueId={issue.id} message={message} />
        ))}
      </div>
    </div>
  )
}

function IssueHead({ issue }: { readonly issue: IssueView }) {
  return (
    <header class="issue-head">
      <p class="issue-number">
        <span class={`state-word issue-${issue.state}`}>{issue.state}</span>
        <span>#{issue.number}</span>
        <code>{issue.id}</code>
      </p>
      <h1 dir="auto">{issue.title}</h1>
      <dl class="issue-facts">
        <Fact name="Requester">
          <span dir="auto">{issue.requester.name}</span>
          <span class="muted"> {issue.requester.email}</span>
        </Fact>
        <Fact name="Account">{issue.account?.name ?? <span class="muted">none</span>}</Fact>
        <Fact name="Assignee">{issue.assignee?.name ?? <span class="muted">nobody</span>}</Fact>
        {issue.tags.length > 0 && (
          <Fact name="Tags">
            <span class="tags">
              {issue.tags.map(({ value, hexColor }) => (
                <span class="tag" key={value}>
                  <span class="tag-dot" style={{ backgroundColor: colorOf(hexColor) }} />
                  {value}
                </span>
              ))}
            </span>
          </Fact>
        )}
      </dl>
    </header>
  )
}

/** Only a colour: a value of another kind could carry an address. */
function colorOf(hexColor: string): string {
  return /^#[0-9a-f]{3,8}$/i.test(hexColor) ? hexColor : 'currentColor'
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  )
}
