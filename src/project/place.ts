/** A line of one of the project's files. */
export interface Place {
  readonly file: string
  /** 1-based, or 0 if it is unknown. */
  readonly line: number
}

/** Formats a place as `sidecard.json:12`. */
export function formatPlace({ file, line }: Place): string {
  return line === 0 ? file : `${file}:${line}`
}
