interface CodeBlockProps {
  /** What it is, for screen readers. */
  readonly label: string
  readonly code: string
}

/** Source or JSON in lines, with a scrollbar where it needs one. */
export function CodeBlock({ label, code }: CodeBlockProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <pre class="code-block" dir="ltr" tabIndex={0} aria-label={label}>
      {code}
    </pre>
  )
}
