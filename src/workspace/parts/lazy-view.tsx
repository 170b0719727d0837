import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Empty } from './empty.tsx'
import { Skeleton } from './skeleton.tsx'
import style from './layout.module.css'

interface LazyViewProps {
  readonly load: () => Promise<ComponentType>
}

/** A view whose script is loaded on first use. */
export function LazyView({ load }: LazyViewProps) {
  const [loaded, setLoaded] = useState<{ readonly View: ComponentType } | 'failed' | null>(null)
  useEffect(() => {
    load().then(
      (View) => {
        setLoaded({ View })
      },
      () => {
        setLoaded('failed')
      },
    )
  }, [])
  if (loaded === null) {
    return (
      <main class={style.waiting} id="main" tabIndex={-1} aria-busy="true">
        <Skeleton lines={6} label="Loading" />
      </main>
    )
  }
  if (loaded === 'failed') {
    return (
      <main class={style.waiting} id="main" tabIndex={-1}>
        <Empty icon="alert" heading="h1" title="Cannot load this view">
          <p role="alert">Check that the emulator is running, and reload the page.</p>
        </Empty>
      </main>
    )
  }
  return <loaded.View />
}
