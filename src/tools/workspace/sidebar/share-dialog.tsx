import type { Payload } from '../../../runtime/contract/generated/types.ts'
import { control } from '../core/control.ts'
import { plural } from '../core/format.ts'
import { compressText } from '../core/permalink.ts'
import { formatRoute } from '../core/route.ts'
import { useLoaded } from '../core/use-loaded.ts'
import { workspace } from '../core/workspace.ts'
import { CopyButton } from '../parts/forms/copy-button.tsx'
import { Dialog } from '../parts/forms/dialog.tsx'
import { FormError } from '../parts/forms/field.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { PayloadView } from '../parts/widget/payload-view.tsx'
import { WidgetFrame } from '../parts/widget/widget-frame.tsx'
import dialogStyle from '../parts/forms/dialog.module.css'

interface ShareDialogProps {
  readonly exchangeId: string
  readonly onClose: () => void
}

/** A link to the playground of the documentation site, with the shape of a payload. */
export function ShareDialog({ exchangeId, onClose }: ShareDialogProps) {
  const shared = useLoaded(exchangeId, share)
  return (
    <Dialog title="Share" size="small" onClose={onClose}>
      <div class={dialogStyle.body}>
        <p>
          A link to the playground of the documentation. The payload is after the #, which browsers
          send to no server.
        </p>
        {shared === null && <Skeleton lines={5} label="Creating the link" />}
        <FormError text={typeof shared === 'string' ? shared : null} />
        {shared !== null && typeof shared === 'object' && (
          <>
            <p>
              {plural(shared.replaced, 'text')} replaced. Dates are moved. Kept:{' '}
              <b dir="auto">{shared.kept.join(', ') || 'no text'}</b>. Look for personal data in
              what your colleagues will see:
            </p>
            <div inert>
              <WidgetFrame header={shared.payload.header} name="Widget">
                <PayloadView payload={shared.payload} />
              </WidgetFrame>
            </div>
          </>
        )}
      </div>
      {shared !== null && typeof shared === 'object' && (
        <footer class={dialogStyle.footer}>
          <CopyButton text={shared.link} label="link" caption="Copy link" />
        </footer>
      )}
    </Dialog>
  )
}

async function share(exchangeId: string) {
  const shape = await control('GET exchanges/:exchangeId/shape', { exchangeId })
  const payload = await compressText(JSON.stringify(shape.payload, null, 2))
  const route = formatRoute('playground', null, new URLSearchParams({ payload }))
  const shown = shape.payload as Payload
  const link = new URL(`playground${route}`, workspace.peek()?.siteUrl ?? undefined).href
  return { ...shape, payload: shown, link }
}
