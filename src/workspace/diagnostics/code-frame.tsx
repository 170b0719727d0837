import { useEffect, useState } from 'preact/hooks'
import type { CodeFrame, SourceLocation } from '../../emulator/protocol/exchanges.ts'
import { classes } from '../core/classes.ts'
import { control, errorMessage } from '../core/control.ts'
import { notify } from '../core/notify.ts'
import { workspace } from '../core/workspace.ts'
import { Button } from '../parts/button.tsx'
import { CodeBlock } from '../parts/code-block.tsx'
import style from './diagnostics.module.css'

/** The lines around a location, with a button that opens it in the editor. */
export function CodeFrameView({ location }: { readonly location: SourceLocation }) {
  const { file, line, column } = location
  const [frame, setFrame] = useState<CodeFrame | null>(null)
  const hasProject = workspace.value?.project != null
  useEffect(() => {
    let isCurrent = true
    setFrame(null)
    if (hasProject) {
      control('POST source/frame', { file, line }).then(
        (loaded) => {
          if (isCurrent) setFrame(loaded)
        },
        // A file outside the project has no frame; the location is still shown.
        () => {},
      )
    }
    return () => {
      isCurrent = false
    }
  }, [file, line, hasProject])
  const open = async () => {
    try {
      await control('POST source/open', { file, line, column })
    } catch (error) {
      notify(errorMessage(error), 'bad')
    }
  }
  return (
    <div class={style.frame}>
      <p class={style['frame-head']}>
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
          {frame.lines.map((text, index) => (
            <span
              key={index}
              class={classes(style.line, frame.first + index === line && style['line-bad'])}
            >
              <span class={style.number}>{frame.first + index}</span>
              {text}
              {'\n'}
            </span>
          ))}
        </CodeBlock>
      )}
    </div>
  )
}
