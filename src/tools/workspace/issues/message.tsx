import type { MessageView } from '../../emulator/protocol/workspace.ts'
import { classes } from '../core/classes.ts'
import { formatDateTime } from '../core/format.ts'
import { Icon } from '../parts/forms/icon.tsx'
import { SafeHtml } from './safe-html.tsx'
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
      </div>
    </article>
  )
}

/** The initials of a person. Pictures are not loaded. */
function Avatar({ name }: { readonly name: string }) {
  return (
    <span class={classes(style.avatar, 'gray')} aria-hidden="true">
      {initials(name)}
    </span>
  )
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => /\p{L}|\p{N}/u.test(word))
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words.slice(0, 1)
  const first = chosen.map((word) => /[\p{L}\p{N}]/u.exec(word ?? '')?.[0] ?? '')
  return first.join('').toUpperCase() || '?'
}
