import { useId, useRef, useState } from 'preact/hooks'
import { RULES } from '../../../check/rules/index.ts'
import { InlineCode } from './inline-code.tsx'
import { place } from './place.ts'

const BY_ID = new Map(RULES.map((rule) => [rule.id, rule]))

/** The id of a rule; it opens what the rule says and why. */
export function RuleId({ id }: { readonly id: string }) {
  const popoverId = useId()
  const button = useRef<HTMLButtonElement>(null)
  const card = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const rule = BY_ID.get(id)
  if (rule === undefined) return <span class="rule-id">{id}</span>
  return (
    <>
      <button
        ref={button}
        type="button"
        class="rule-id rule-button"
        aria-label={`About the rule ${id}`}
        aria-expanded={isOpen}
        popovertarget={popoverId}
      >
        {id}
      </button>
      <div
        ref={card}
        id={popoverId}
        popover="auto"
        class="rule-card"
        onToggle={(event) => {
          setOpen(event.newState === 'open')
          if (event.newState === 'open') place(card.current, button.current)
        }}
      >
        {isOpen && (
          <>
            <p class="rule-card-title">
              <span class={`level level-${rule.level}`}>{rule.level}</span>{' '}
              <InlineCode text={rule.title} />
            </p>
            <p>
              <InlineCode text={rule.why} />
            </p>
            <p class="muted">
              {rule.contract.basis === 'silence' ? 'Not in the contract: ' : 'The contract: '}
              <InlineCode text={rule.contract.says} />
            </p>
            <p class="muted">
              <code>docs/checks/{id}.md</code>
            </p>
          </>
        )}
      </div>
    </>
  )
}
