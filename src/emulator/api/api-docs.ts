import type { Operation, OperationParameter } from '../../contract/operations.ts'
import { escapeHtml } from '../../render/escape-html.ts'
import { formatCurl } from '../host/request-code.ts'

/**
 * Renders the documentation of the API from the table of operations. It needs no
 * script and no network.
 */
export function apiDocs(operations: Readonly<Record<string, Operation>>, baseUrl: string): string {
  const entries = Object.entries(operations)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API of the emulator</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<header>
<h1>API of the emulator</h1>
<p>The eight operations that the service documents, at <code>${escapeHtml(baseUrl)}</code>.
Every operation requires the header <code>Authorization: Bearer &lt;ACCESS_TOKEN&gt;</code>.
<a href="/openapi.json">OpenAPI document</a> · <a href="/">Workspace</a></p>
<nav aria-label="Operations"><ul>
${entries.map(([id, { method, path }]) => `<li><a href="#${id}">${badge(method)} <code>${escapeHtml(path)}</code></a></li>`).join('\n')}
</ul></nav>
</header>
<main>
${entries.map(([id, operation]) => section(id, operation, baseUrl)).join('\n')}
</main>
</body>
</html>
`
}

function section(id: string, operation: Operation, baseUrl: string): string {
  const { method, path, summary, parameters, response } = operation
  const envelope =
    response.envelope === 'list'
      ? `{ "data": [${response.resource}, …], "pagination": { "cursor", "has_next_page" }, "request_id" }`
      : `{ "data": ${response.resource}, "request_id" }`
  return `<section aria-labelledby="${id}">
<h2 id="${id}">${badge(method)} <code>${escapeHtml(path)}</code></h2>
<p>${escapeHtml(summary)}</p>
${parameters.length === 0 ? '<p class="quiet">No parameters documented.</p>' : parameterTable(parameters)}
<h3>Response</h3>
<pre tabindex="0">${escapeHtml(envelope)}</pre>
<h3>Try it</h3>
<pre tabindex="0">${escapeHtml(example(operation, baseUrl))}</pre>
</section>`
}

function parameterTable(parameters: readonly OperationParameter[]): string {
  const rows = parameters.map(
    ({ name, in: place, type, required, description, values, format }) =>
      `<tr><th scope="row"><code>${name}</code>${required ? ' <em>required</em>' : ''}</th><td>${place}</td><td>${escapeHtml(values?.join(' | ') ?? format ?? type)}</td><td>${escapeHtml(description)}</td></tr>`,
  )
  return `<table><thead><tr><th scope="col">Parameter</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`
}

function example({ method, path, parameters }: Operation, baseUrl: string): string {
  const target = path.replace('{id}', 'iss_1042').replace('{message_id}', 'msg_1042_1')
  const query = parameters.some(({ name }) => name === 'title') ? '?title=Call%20back' : ''
  const command = formatCurl(`${baseUrl}${target}${query}`, [])
  const token = '-H "Authorization: Bearer $ACCESS_TOKEN"'
  return command.replace('--include --globoff', method === 'GET' ? token : `-X ${method} ${token}`)
}

function badge(method: string): string {
  return `<span class="method ${method.toLowerCase()}">${method}</span>`
}

/** The style sheet of the page. */
export const DOCS_STYLE = `
:root { color-scheme: light dark; --ink: #1c2024; --quiet: #5b636d; --paper: #fff; --line: #e2e5e9; --code: #f4f5f7; --accent: #2456c8; --get: #176a46; --post: #8a4b00; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eaed; --quiet: #a3abb5; --paper: #15171a; --line: #2d3238; --code: #1e2125; --accent: #8fb2ff; --get: #6fd3a3; --post: #f0b060; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 52rem; padding: 2.5rem 1.5rem 5rem; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
h1 { font-size: 1.6rem; letter-spacing: -0.01em; margin: 0 0 0.5rem; }
h2 { font-size: 1.1rem; margin: 3rem 0 0.5rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
h3 { font-size: 0.85rem; color: var(--quiet); margin: 1.2rem 0 0.3rem; font-weight: 600; }
a { color: var(--accent); text-underline-offset: 0.15em; }
nav ul { list-style: none; padding: 0; margin: 1.5rem 0 0; display: grid; gap: 0.35rem; }
nav a { text-decoration: none; }
code, pre { font: 0.875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { background: var(--code); padding: 0.75rem 1rem; border-radius: 0.5rem; overflow-x: auto; margin: 0; }
table { width: 100%; border-collapse: collapse; font-size: 0.925rem; }
th, td { text-align: left; vertical-align: top; padding: 0.45rem 0.75rem 0.45rem 0; border-bottom: 1px solid var(--line); font-weight: 400; }
thead th { color: var(--quiet); font-size: 0.85rem; }
em { color: var(--quiet); font-size: 0.8rem; }
.quiet { color: var(--quiet); }
.method { display: inline-block; min-width: 3.2rem; font: 700 0.75rem/1.5 ui-monospace, Menlo, monospace; }
.get { color: var(--get); }
.post { color: var(--post); }
`
