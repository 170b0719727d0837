import type { ComponentType } from 'preact'
import { useLoaded } from '../core/use-loaded.ts'
import { Empty } from './empty.tsx'
import { Skeleton } from './skeleton.tsx'
import style from './layout.module.css'

interface LazyViewProps {
  readonly load: () => Promise<ComponentType>
  /** The element around the view while it is loading. @default 'div' */
  readonly as?: 'main' | 'div'
}

/** A view whose script is loaded on first use. */
export function LazyView({ load, as: Place = 'div' }: LazyViewProps) {
  const loaded = useLoaded('view', async () => ({ View: await load() }))
  if (loaded !== null && typeof loaded === 'object') return <loaded.View />
  return (
    <Place
      class={style.waiting}
      id={Place === 'main' ? 'main' : undefined}
      tabIndex={-1}
      aria-busy={loaded === null}
    >
      {loaded === null ? (
        <Skeleton lines={6} label="Loading" />
      ) : (
        <Empty icon="alert" heading="h1" title="Cannot load this view">
          <p role="alert">Check that the emulator is running, and reload the page.</p>
        </Empty>
      )}
    </Place>
  )
}
