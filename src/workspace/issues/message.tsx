import { formatDateTime } from '../core/format.ts'
import type { MessageView } from '../../emulator/protocol/workspace.ts'
import { decode } from '../core/route.ts'
import { Icon } from '../parts/icon.tsx'
import { Avatar } from './avatar.tsx'
import { SafeHtml } from './safe-html.tsx'
import { classes } from '../core/classes.ts'
import style from './message.module.css'

interface MessageProps {
  readonly message: MessageView
}

/** One message of a conversation. */
export function Message({ message }: MessageProps) {
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
