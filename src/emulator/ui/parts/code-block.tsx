interface CodeBlockProps {
  /** The label for screen readers. */
  readonly label: string
  readonly code: string
}

/** A block of source code or JSON that scrolls if necessary. */
export function CodeBlock({ label, code }: CodeBlockProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <pre class="code-block" dir="ltr" tabIndex={0} aria-label={label}>
      {code}
    </pre>
  )
}
