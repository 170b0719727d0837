import { findNodeAtLocation, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { Node, ParseError } from 'jsonc-parser'
import type { Payload } from '../../../contract/payload.ts'
import { isJsonObject } from '../../../desk/rules/payload-walk.ts'
import type { Finding } from '../../../desk/rules/rule.ts'
import { payloadFindings } from '../../../desk/rules/index.ts'
import { pathParts } from './json-path.ts'

/** A finding with the line of the text that it is about; the first line is 1. */
export interface Problem extends Finding {
  readonly line: number
}

/** What the sidebar would make of a text. */
export type Judged =
  | {
      readonly outcome: 'rendered'
      readonly payload: Payload
      readonly problems: readonly Problem[]
    }
  | {
      readonly outcome: 'unknown_component' | 'invalid_payload' | 'not_json' | 'not_an_object'
      readonly problems: readonly Problem[]
    }

/** Judges a text as the emulator judges an answer: by the same rules, with the same ids. */
export function judgeText(text: string): Judged {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { outcome: 'not_json', problems: syntaxProblems(text) }
  }
  if (!isJsonObject(value)) {
    const problem = {
      rule: 'data-json',
      level: 'MUST',
      message: 'the answer is not a JSON object',
      fix: 'Answer with an object that has version, header and components.',
      line: 1,
    } as const
    return { outcome: 'not_an_object', problems: [problem] }
  }
  const root = parseTree(text)
  const problems = payloadFindings(value)
    .map((finding) => ({ ...finding, line: lineOf(text, root, finding.path ?? '') }))
    .sort((a, b) => rank(a) - rank(b) || a.line - b.line)
  const worst = problems.filter(({ level }) => level === 'MUST')
  if (worst.length === 0) {
    return { outcome: 'rendered', payload: value as unknown as Payload, problems }
  }
  const isUnknown = worst.some(({ rule }) => rule === 'component-type' || rule === 'card-nested')
  return { outcome: isUnknown ? 'unknown_component' : 'invalid_payload', problems }
}

/** What must be fixed stands before advice. */
function rank({ level }: Finding): number {
  return level === 'MUST' ? 0 : 1
}

function syntaxProblems(text: string): Problem[] {
  const errors: ParseError[] = []
  parseTree(text, errors, { disallowComments: true, allowTrailingComma: false })
  const first = errors[0]
  const line = first === undefined ? 1 : lineAt(text, first.offset)
  const what = first === undefined ? 'not JSON' : words(printParseErrorCode(first.error))
  return [
    {
      rule: 'data-json',
      level: 'MUST',
      message: text.trim() === '' ? 'the text is empty' : `line ${line} is not JSON: ${what}`,
      fix: 'Write plain JSON: double quotes, no comment, no comma after the last item.',
      line,
    },
  ]
}

/** `CommaExpected` → `comma expected`. */
function words(code: string): string {
  return code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
}

/** The line of a path, or of the nearest place above it that is there. */
function lineOf(text: string, root: Node | undefined, path: string): number {
  if (root === undefined) return 1
  const parts = pathParts(path)
  for (let length = parts.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(root, parts.slice(0, length))
    // A property begins at its name, which may stand a line above its value.
    if (node !== undefined) {
      const property = node.parent?.type === 'property' ? node.parent : node
      return lineAt(text, property.offset)
    }
  }
  return lineAt(text, root.offset)
}

function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1
  }
  return line
}
