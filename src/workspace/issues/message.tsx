import { formatDateTime } from '../core/format.ts'
import { useState } from 'preact/hooks'
import type { MessageView } from '../../emulator/protocol/workspace.ts'
import { notify } from '../core/notify.ts'
import { decode } from '../core/route.ts'
import { Button } from '../parts/button.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Icon } from '../parts/icon.tsx'
import { Avatar } from './avatar.tsx'
import { redactMessage } from './redact.ts'
import { SafeHtml } from './safe-html.tsx'
import { classes } from '../core/classes.ts'
import style from './message.module.css'

interface MessageProps {
  readonly issueId: string
  readonly message: MessageView
}

/** One message of a conversation. */
export function Message({ issueId, message }: MessageProps) {
  const [isRedacting, setRedacting] = useState(false)
  const { author, is_private: isPrivate, redacted } = message
  const kind = isPrivate ? 'private' : author.user === undefined ? 'customer' : 'agent'
  return (
    <article class={classes(style.message, style[kind])} aria-label={`Message from ${author.name}`}>
      <Avatar name={author.name} />
      <div>
        <header class={style.header}>
          <b dir="auto">{author.name}</b>
          {isPrivate && (
            <span class={style['private-tag']}>
              <Icon name="lock" size={13} />
              Private note
            </span>
          )}
          <time class="hint" dateTime={message.timestamp} title={message.timestamp}>
            {formatDateTime(message.timestamp)}
          </time>
          {!redacted && (
            <Button
              look="quiet"
              aria-label={`Redact message from ${author.name}`}
              onClick={() => setRedacting(true)}
            >
              Redact
            </Button>
          )}
        </header>
        {redacted ? (
          <p class="muted">
            <i>This message was redacted.</i>
          </p>
        ) : (
          <SafeHtml html={message.message_html} />
        )}
        <Attachments urls={message.file_urls} />
      </div>
      {isRedacting && (
        <Confirm
          title="Redact this message?"
          text="Permanently removes the text and attachments. The message stays visible as redacted."
          action="Redact"
          onConfirm={async () => {
            await redactMessage(issueId, message)
            notify('Message redacted')
          }}
          onClose={() => setRedacting(false)}
        />
      )}
    </article>
  )
}

function Attachments({ urls }: { readonly urls: readonly string[] }) {
  if (urls.length === 0) return null
  return (
    <ul class={style.attachments} aria-label="Attachments">
      {urls.map((url) => (
        <li key={url}>
          <Attachment url={url} />
        </li>
      ))}
    </ul>
  )
}

/** A link to a file. A URL of another scheme is plain text. */
function Attachment({ url }: { readonly url: string }) {
  const isLink = /^https?:\/\//i.test(url)
  const content = (
    <>
      <Icon name="clip" />
      <span class="ellipsis" dir="auto">
        {isLink ? fileName(url) : url}
      </span>
    </>
  )
  if (!isLink) return <span class={style.attachment}>{content}</span>
  return (
    <a class={style.attachment} href={url} target="_blank" rel="noopener noreferrer" title={url}>
      {content}
    </a>
  )
}

function fileName(url: string): string {
  const path = url.replace(/[?#].*$/, '')
  return decode(path.slice(path.lastIndexOf('/') + 1)) || url
}
