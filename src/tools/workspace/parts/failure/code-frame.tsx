import type { SourceLocation } from '../../../emulator/protocol/exchanges.ts'
import { classes } from '../../core/classes.ts'
import { act } from '../../core/act.ts'
import { control } from '../../core/control.ts'
import { useLoaded } from '../../core/use-loaded.ts'
import { workspace } from '../../core/workspace.ts'
import { Button } from '../forms/button.tsx'
import { CodeBlock } from '../code/code-block.tsx'
import style from './diagnostics.module.css'

/** The lines around a location, with a button that opens it in the editor. */
export function CodeFrameView({ location }: { readonly location: SourceLocation }) {
  const { file, line, column } = location
  const hasProject = workspace.value?.project != null
  const loaded = useLoaded(hasProject ? `${file}\n${line}` : null, () =>
    control('POST source/frame', { file, line }),
  )
  // A file outside the project has no frame; the location is still shown.
  const frame = typeof loaded === 'string' ? null : loaded
  const open = () => act(() => control('POST source/open', { file, line, column }))
  return (
    <div class={style.frame}>
      <p class="row wrap between">
        <code>
          {file}:{line}:{column}
        </code>
        {frame !== null && (
          <Button small icon="out" onClick={() => void open()}>
            Open in editor
          </Button>
        )}
      </p>
      {frame !== null && (
        <CodeBlock label={`Lines around ${file}:${line}`}>
          {frame.lines.map((text, index) => {
            const isBad = frame.first + index === line
            return (
              <span key={index} class={classes(style.line, isBad && style['line-bad'])}>
                <span class={style.number}>{frame.first + index}</span>
                {isBad ? <MarkedLine text={text} column={column} /> : text}
                {'\n'}
              </span>
            )
          })}
        </CodeBlock>
      )}
    </div>
  )
}

/**
 * A line in which the word at a column is marked. The first column stands for the
 * whole line, so nothing is marked.
 */
function MarkedLine({ text, column }: { readonly text: string; readonly column: number }) {
  const start = column - 1
  const [word = ''] = start === 0 ? [] : (/^(?:[\w$]+|\S)/.exec(text.slice(start)) ?? [])
  return (
    <>
      {text.slice(0, start)}
      {word !== '' && <mark class={style.mark}>{word}</mark>}
      {text.slice(start + word.length)}
    </>
  )
}
