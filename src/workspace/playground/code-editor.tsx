import { useEffect, useRef } from 'preact/hooks'
import { mountEditor, showProblems } from './draft.ts'
import type { Problem } from './validate-text.ts'
import style from './playground.module.css'

/** The editor of the playground, in a shadow root. */
export function CodeEditor({ problems }: { readonly problems: readonly Problem[] }) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => (host.current === null ? undefined : mountEditor(host.current)), [])
  useEffect(() => {
    showProblems(problems)
  }, [problems])
  return <div class={style['code-editor']} ref={host} />
}
