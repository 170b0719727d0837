import { prettyJson } from '../../core/pretty-json.ts'
import { CodeBlock } from './code-block.tsx'
import style from './json-code.module.css'

/** The maximum length of a text with colors, because each token is an element. */
const MAX_COLORED = 60_000
const TOKENS = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g

interface JsonCodeProps {
  /** The label for screen readers. */
  readonly label: string
  readonly text: string
}

/** JSON with line breaks and colors. Other text is shown unchanged. */
export function JsonCode({ label, text }: JsonCodeProps) {
  const pretty = prettyJson(text)
  const isColored = pretty !== text && pretty.length <= MAX_COLORED
  return <CodeBlock label={label}>{isColored ? colorTokens(pretty) : pretty}</CodeBlock>
}

/** Returns the tokens of a JSON text as elements with a color. */
export function colorTokens(json: string) {
  const parts = []
  let end = 0
  for (const { 0: token, 1: quoted, 2: colon, index } of json.matchAll(TOKENS)) {
    const text = quoted ?? token
    const kind = quoted === undefined ? 'literal' : colon === undefined ? 'string' : 'name'
    parts.push(json.slice(end, index))
    parts.push(
      <span key={index} class={style[kind]}>
        {text}
      </span>,
    )
    end = index + text.length
  }
  return [...parts, json.slice(end)]
}
