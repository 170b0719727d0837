import type { Component, Payload } from '../../../../runtime/contract/generated/types.ts'
import { ComponentView } from './component.tsx'
import style from './widget.module.css'

const MAX_COMPONENTS = 1_000

/** The body of a widget: the components of its payload, in order. */
export function PayloadView({ payload }: { readonly payload: Payload }) {
  const { components } = payload
  if (components.length === 0) return <p class={style.nothing}>Nothing to show</p>
  const shown = takeComponents(components)
  return (
    <div class={style.payload}>
      {shown.map((component, index) => (
        <ComponentView key={index} component={component} path={`components[${index}]`} />
      ))}
      {shown.length < components.length && (
        <p class={style.nothing}>
          {`${components.length - shown.length} more components. A payload should have at most ${MAX_COMPONENTS.toLocaleString('en')}.`}
        </p>
      )}
    </div>
  )
}

/** Returns the first components up to the limit, including those inside cards. */
function takeComponents(components: readonly Component[]): readonly Component[] {
  let count = 0
  const end = components.findIndex((component) => {
    count += component.type === 'card' ? 1 + component.components.length : 1
    return count > MAX_COMPONENTS
  })
  return end === -1 ? components : components.slice(0, Math.max(1, end))
}
