import type { Payload } from '../../../contract/payload.ts'
import { ComponentView } from './component.tsx'

/** The body of a widget: every component of its payload, in order. */
export function PayloadView({ payload }: { readonly payload: Payload }) {
  if (payload.components.length === 0) return <p class="widget-nothing">Nothing to show</p>
  return (
    <div class="payload">
      {payload.components.map((component, index) => (
        <ComponentView key={index} component={component} path={`components[${index}]`} />
      ))}
    </div>
  )
}
