import { computed } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { colorTokens } from '../parts/code/json-code.tsx'
import { field, LINE_HEIGHT, replaceRange, schedulePublish, typedText } from './draft.ts'
import type { Problem } from './validate-text.ts'
import style from './playground.module.css'

/** The maximum length of a text with colors, because each token is an element. */
const MAX_COLORED = 40_000

/**
 * The text with colors; null for a longer text, so that a key press does not
 * render the editor again.
 */
const coloredText = computed(() => (typedText.value.length <= MAX_COLORED ? typedText.value : null))

/**
 * A text field for JSON. Its own text is transparent, and a layer above shows the
 * same text in colors.
 */
export function JsonEditor({ problems }: { readonly problems: readonly Problem[] }) {
  const layer = useRef<HTMLPreElement>(null)
  const numbers = useRef<HTMLPreElement>(null)
  const colored = coloredText.value
  const isColored = colored !== null
  const follow = () => {
    const { scrollLeft = 0, scrollTop = 0 } = field.current ?? {}
    layer.current?.style.setProperty('transform', `translate(${-scrollLeft}px, ${-scrollTop}px)`)
    numbers.current?.style.setProperty('transform', `translateY(${-scrollTop}px)`)
  }
  useEffect(follow, [isColored])
  return (
    <div class={style['json-editor']}>
      <textarea
        ref={field}
        class={style.field}
        aria-label="Payload as JSON"
        aria-describedby="playground-verdict"
        dir="ltr"
        wrap="off"
        autocapitalize="off"
        autocomplete="off"
        spellcheck={false}
        data-colored={isColored}
        value={colored ?? typedText.peek()}
        onInput={({ currentTarget }) => {
          typedText.value = currentTarget.value
          schedulePublish()
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.isComposing || event.ctrlKey || event.metaKey) return
          event.preventDefault()
          breakLine(event.currentTarget)
        }}
        onKeyUp={schedulePublish}
        onPointerUp={schedulePublish}
        onScroll={follow}
      />
      {isColored && (
        <>
          <pre ref={layer} class={style.layer} dir="ltr" aria-hidden="true">
            {colorTokens(colored)}
          </pre>
          <pre ref={numbers} class={style.numbers} dir="ltr" aria-hidden="true">
            {Array.from(colored.split('\n'), (_, index) => index + 1).join('\n')}
            {[...new Set(problems.map(({ line }) => line))].map((line) => (
              <span key={line} style={{ top: `${(line - 1) * LINE_HEIGHT}px` }} />
            ))}
          </pre>
        </>
      )}
    </div>
  )
}

/** Starts a new line with the indent of the current one. */
function breakLine({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): void {
  const line = value.slice(value.lastIndexOf('\n', selectionStart - 1) + 1, selectionStart)
  const [indent = ''] = /^\s*/.exec(line) ?? []
  replaceRange(`\n${indent}`, selectionStart, selectionEnd)
}
