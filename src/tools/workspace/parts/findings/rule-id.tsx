import { useEffect, useId, useState } from 'preact/hooks'
import { loadRules, ruleIndex } from '../../core/rules.ts'
import { InlineCode } from '../code/inline-code.tsx'
import { Level } from './level.tsx'
import { classes } from '../../core/classes.ts'
import style from './findings.module.css'

/** The ID of a rule as a button that opens the rule's description. */
export function RuleId({ id }: { readonly id: string }) {
  const popoverId = useId()
  const [isOpen, setOpen] = useState(false)
  const rule = ruleIndex.value?.get(id)
  useEffect(() => {
    void loadRules()
  }, [])
  if (rule === undefined) return <span class={style['rule-id']}>{id}</span>
  return (
    <>
      <button
        type="button"
        class={classes(style['rule-id'], style['rule-button'])}
        aria-label={`About rule ${id}`}
        aria-expanded={isOpen}
        popovertarget={popoverId}
      >
        {id}
      </button>
      <div
        id={popoverId}
        popover="auto"
        class={style['rule-card']}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {isOpen && (
          <>
            <p class="strong">
              <Level level={rule.level} /> <InlineCode text={rule.title} />
            </p>
            <p>
              <InlineCode text={rule.why} />
            </p>
            <p class="muted">
              {rule.contract.basis === 'unspecified' ? 'Not specified: ' : 'The contract: '}
              <InlineCode text={rule.contract.statement} />
            </p>
            <p class="muted">
              <code>{`docs/checks/${rule.group}.md#${id}`}</code>
            </p>
          </>
        )}
      </div>
    </>
  )
}
