interface SkeletonProps {
  readonly lines: number
  /** What is on its way, for screen readers. */
  readonly label: string
}

/** The shape of what is on its way. */
export function Skeleton({ lines, label }: SkeletonProps) {
  return (
    <output class="skeleton" aria-label={label}>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} class="skeleton-line" />
      ))}
    </output>
  )
}
