import type { Operation, OperationParameter } from '../../../runtime/contract/operations.ts'
import { escapeHtml } from '../../../runtime/render/escape-html.ts'
import { formatCurl } from '../../service/endpoint/curl.ts'

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
<link rel="stylesheet" href="/-/assets/app.css">
</head>
<body>
<main class="layout_page">
<header class="layout_page-head">
<h1>API of the emulator</h1>
<p>The eight operations that the service documents, at <code>${escapeHtml(baseUrl)}</code>.
Every operation requires the header <code>Authorization: Bearer &lt;ACCESS_TOKEN&gt;</code>.</p>
<p class="row"><a href="/openapi.json">OpenAPI document</a> <a href="/">Workspace</a></p>
<nav aria-label="Operations"><ul class="stack">
${entries.map(([id, { method, path }]) => `<li><a href="#${id}">${badge(method)} <code>${escapeHtml(path)}</code></a></li>`).join('\n')}
</ul></nav>
</header>
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
  return `<section class="stack box layout_detail-part" aria-labelledby="${id}">
<h2 id="${id}">${badge(method)} <code>${escapeHtml(path)}</code></h2>
<p>${escapeHtml(summary)}</p>
${parameters.length === 0 ? '<p class="hint">No parameters documented.</p>' : parameterTable(parameters)}
<h3>Response</h3>
<pre class="code_block_code-block" tabindex="0">${escapeHtml(envelope)}</pre>
<h3>Try it</h3>
<pre class="code_block_code-block" tabindex="0">${escapeHtml(example(operation, baseUrl))}</pre>
</section>`
}

function parameterTable(parameters: readonly OperationParameter[]): string {
  const rows = parameters.map(
    ({ name, in: place, type, required, description, values, format }) =>
      `<tr><th scope="row"><code>${name}</code>${required ? ' <em class="muted">required</em>' : ''}</th><td>${place}</td><td>${escapeHtml(values?.join(' | ') ?? format ?? type)}</td><td>${escapeHtml(description)}</td></tr>`,
  )
  return `<table class="tasks_table"><thead><tr><th scope="col">Parameter</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead><tbody>
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
  return `<code class="${method === 'GET' ? 'tone-good' : 'tone-warn'}">${method}</code>`
}
