import style from './skeleton.module.css'
interface SkeletonProps {
  readonly lines: number
  /** The label for screen readers. */
  readonly label: string
}

/** A placeholder for content that is loading. */
export function Skeleton({ lines, label }: SkeletonProps) {
  return (
    <output class={style.skeleton} aria-label={label}>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} class={style.line} />
      ))}
    </output>
  )
}
