import { globSync, readFileSync } from 'node:fs'
// The classic compiler API, which TypeScript 7 does not have.
import ts from 'typescript-5'

const ROOT = new URL('../', import.meta.url)

/** Where a message appears, with the folders of the code that writes it, and the page about it. */
const AREAS: ReadonlyArray<readonly [title: string, folders: string, page: string]> = [
  ['Your app', 'app,builders,contract,internal,project,openapi', 'errors.md'],
  ['The server on Node', 'node', 'errors.md#lines-of-the-node-host'],
  ['Actions', 'actions', 'guides/actions.md'],
  ['Caches', 'cache', 'errors.md#cache-warnings'],
  ['The API client', 'client', 'errors.md#the-api-client'],
  ['Checks and tests', 'check,service,render', 'guides/checking.md'],
  ['The emulator', 'emulator', 'emulator.md'],
  ['The command line', 'cli', 'cli.md'],
  ['The workspace', 'workspace', 'emulator.md#the-workspace'],
]

/** Descriptions of rules, requests, schemas and data, which are not messages. */
const NOT_MESSAGES = [
  'src/**/{rules,response-rules}/**',
  'src/**/response-rule.ts',
  'src/tools/check/probes/**',
  'src/**/generated/**',
  'src/runtime/contract/{payload,parameters,resources,operations}.ts',
  'src/tools/emulator/{dataset,store}/**',
  'src/tools/workspace/{playground,site}/**',
  'src/tools/cli/{flags,endpoint-flags}.ts',
  'src/tools/cli/{commands,dev,new,add,project}/*options.ts',
]

/** Returns the text of a literal, with `…` for each inserted value. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')
}

/** Whether a text is a sentence, or a finding about a response, and not code, markup or help. */
function isMessage(text: string): boolean {
  const words = text.match(/[A-Za-z`…]{2,}/g)?.length ?? 0
  const isCode =
    /\n|[<{}]|=>|\$\(|:root|^\.|^(?:select|insert|create|update|delete) /i.test(text) ||
    /CASE WHEN|'none'|\[\w+=|^(?:RUN|COPY|- run:|import|curl|npx|-H) |^href=|^\w+(?: \w+){14,}$|keep_until_seconds/.test(
      text,
    )
  return words >= 4 && text.split(' ').length >= 4 && text.length <= 400 && !isCode
}

/** Whether a node is a call whose arguments describe a command or a schema. */
function isHelp(node: ts.Node): node is ts.CallExpression {
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    /^(?:option|addOption|argument|description|addHelpText|describe|meta)$/.test(
      node.expression.name.text,
    )
  )
}

/** Lists the messages in the code of some folders. */
export function listMessages(folders: string): readonly string[] {
  const files = globSync(`src/*/{${folders},-}/**/*.{ts,tsx}`, { cwd: ROOT, exclude: NOT_MESSAGES })
  const messages = new Set<string>()
  for (const file of files) {
    const source = readFileSync(new URL(file, ROOT), 'utf8')
    const visit = (node: ts.Node): void => {
      if (isHelp(node)) return visit(node.expression)
      const text = textOf(node)?.trim()
      if (text !== undefined && isMessage(text)) messages.add(text)
      ts.forEachChild(node, visit)
    }
    visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true))
  }
  return [...messages].sort((left, right) => left.localeCompare(right, 'en'))
}

const INTRODUCTION = `# Troubleshooting

Find the cause and the fix of what you see.

## No message

| You see                                                    | Cause                                                                 | Fix                                                                                                          |
| ---------------------------------------------------------- | --------------------------------------------------------------------- | ------------------------------------------------------------------------------------------------------------ |
| Every request returns 401                                  | The secrets of the service and of the app differ, or the app has none | Look at the log line: [Authentication](guides/authentication.md)                                              |
| The app stays Unverified, and the log has a 401            | The secret header is missing or wrong in the service, or the app has no secret | Compare them: [Authentication](guides/authentication.md). Then choose Retry Connection |
| The app stays Unverified, and the log has no handshake     | The service calls a different host or path, or does not reach the app  | [If the connection fails](guides/tunnels.md#if-the-connection-fails). Test it from outside: \`npx sidecard check <url> -H 'x-sidecard-secret: env:SIDECARD_SECRET' --only handshake\` |
| A card with a trace ID                                     | [A failure](errors.md#failures), which \`x-sidecard-failure\` names     | Search the log for the trace ID                                                                              |
| "Customer not found", but the customer exists              | The issue has another ID than your lookup expects                     | Look at \`via\` and \`unmatched\` in the [log line](errors.md#log-lines)                                          |
| Old data                                                   | A cache, or \`stale\` in \`x-sidecard-failure\`                           | [Caching](guides/caching.md)                                                                                 |
| \`Property '#private' is missing\` from TypeScript           | Two copies of Hono in one project                                     | Install Hono 4.13 or later: \`npm ls hono\` then shows one                                                     |
| A save has no effect                                       | Git ignores the file, or your server did not restart                  | [dev](cli.md#dev)                                                                                            |
| \`not_proven\` at the end of a check                         | Something that matters was not checked                                | Pass what the report names: [verdicts](checks/README.md#verdicts)                                            |

A code in a header, a log line or an error, such as \`section_timeout\`, is on [Errors](errors.md). The ID of a rule, such as \`badge-color\`, is on [Check rules](checks/README.md).

## Messages

Most messages end with the fix. \`…\` is a value. To find a message, search for the words around its values.
`

/** Renders docs/troubleshooting.md. */
export function renderTroubleshooting(): string {
  const areas = AREAS.map(
    ([title, folders, page]) =>
      `### ${title}\n\nSee [${page.replace(/.*\/|\.md.*/g, '')}](${page}).\n\n\`\`\`text\n${listMessages(folders).join('\n')}\n\`\`\`\n`,
  )
  return [INTRODUCTION, ...areas].join('\n')
}
