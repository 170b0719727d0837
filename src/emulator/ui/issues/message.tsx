import { useState } from 'preact/hooks'
import type { MessageView } from '../../protocol.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Icon } from '../parts/icon.tsx'
import { notify } from '../state/notify.ts'
import { redactMessage } from '../state/redact.ts'
import { formatDateTime } from '../sidebar/format-date-time.ts'
import { Avatar } from './avatar.tsx'
import { SafeHtml } from './safe-html.tsx'

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
    <article class={`message message-${kind}`} aria-label={`Message from ${author.name}`}>
      <Avatar name={author.name} />
      <div class="message-main">
        <header class="message-header">
          <span class="message-author" dir="auto">
            {author.name}
          </span>
          {isPrivate && (
            <span class="private-tag">
              <Icon name="lock" />
              Private note
            </span>
          )}
          <time class="message-time" dateTime={message.timestamp} title={message.timestamp}>
            {formatDateTime(message.timestamp)}
          </time>
          {!redacted && (
            <button
              type="button"
              class="quiet-button"
              aria-label={`Redact message from ${author.name}`}
              onClick={() => {
                setRedacting(true)
              }}
            >
              Redact
            </button>
          )}
        </header>
        {redacted ? (
          <p class="redacted">This message was redacted.</p>
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
          onClose={() => {
            setRedacting(false)
          }}
        />
      )}
    </article>
  )
}

function Attachments({ urls }: { readonly urls: readonly string[] }) {
  if (urls.length === 0) return null
  return (
    <ul class="attachments" aria-label="Attachments">
      {urls.map((url) => (
        <li key={url}>
          {/^https?:\/\//i.test(url) ? (
            <a class="attachment" href={url} target="_blank" rel="noopener noreferrer" title={url}>
              <Icon name="clip" />
              <span dir="auto">{fileName(url)}</span>
            </a>
          ) : (
            <span class="attachment">
              <Icon name="clip" />
              <span dir="auto">{url}</span>
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

function fileName(url: string): string {
  const last =
    url
      .replace(/[?#].*$/, '')
      .split('/')
      .at(-1) ?? ''
  try {
    return decodeURIComponent(last) || url
  } catch {
    return last
  }
}
