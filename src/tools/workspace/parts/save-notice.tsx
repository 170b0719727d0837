import type { SaveView } from '../../emulator/protocol/workspace.ts'
import { act } from '../core/act.ts'
import { control } from '../core/control.ts'
import { classes } from '../core/classes.ts'
import { formatTime } from '../core/format.ts'
import { workspace } from '../core/workspace.ts'
import { Button } from './forms/button.tsx'
import style from './toast.module.css'

/** Says which save has not been shown, which file waits, and why the project file is not in use. */
export function SaveNotice() {
  const saves = workspace.value?.saves ?? []
  const problem = workspace.value?.projectProblem ?? null
  return (
    <>
      {problem !== null && (
        <p class={classes(style.notice, style['notice-bad'])}>
          <span class={style.file}>{problem}</span>
        </p>
      )}
      {saves.filter(isPending).map(({ files, at, appIds }) => (
        <p key={appIds.join()} class={style.notice}>
          <span>
            Saved <bdi class={style.file}>{files.join(', ')}</bdi> at {formatTime(at)}, waiting for
            new code…
          </span>
        </p>
      ))}
      {saves.map(
        ({ held, appIds }) =>
          held !== null && (
            <p key={appIds.join()} class={style.notice}>
              <span>
                <bdi class={style.file}>{held.file}</bdi> waits until {formatTime(held.until)},
                because your app seems to write it.
              </span>
              <Button small onClick={() => void act(() => control('POST saves/load'))}>
                Reload
              </Button>
            </p>
          ),
      )}
    </>
  )
}

const isPending = ({ phase, files }: SaveView) =>
  (phase === 'saved' || phase === 'waiting') && files.length > 0
