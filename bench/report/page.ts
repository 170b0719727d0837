import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

/** Renders bench/RESULTS.md from the sections of one run. */
export function renderPage(rounds: number, sections: readonly string[]): string {
  return `# Results of the benchmarks

Sidecard validates every payload, and the benchmarks show what that costs. The baseline is a bare Hono app that reads the same eight parameters and returns the same JSON from object literals, without validation. Sidecard runs in three variants:

- **literals**: the same object literals, validated by the app
- **builders**: the payload is created with the builders
- **builders, strings**: the dates are strings, and texts have icons and need escapes. The other payloads spend a part of their time on \`new Date()\`, which is the same with and without Sidecard. This one is compared with bare Hono that returns the same JSON.

**Every label and value is different in every response**, so that no cache of strings can help.

![CPU time of a request over HTTP, relative to bare Hono](../docs/images/performance.svg)

\`\`\`sh
npm run bench                   # this page and its chart: about half an hour
npm run bench -- helpers caches # prints these parts of it
\`\`\`

The candidates run in turns, so a busy machine slows all of them down equally. Each round gives one ratio. The parentheses contain the range of the middle 80 % of the rounds. A ratio above 1 is better than the baseline. CPU time is the time that the process uses for one request. It is taken from the least disturbed tenth of the rounds, because other work can only add to it. Over HTTP, the load comes from another process.

Measured with Node ${process.version} on ${cpus()[0]?.model.trim() ?? 'an unknown processor'}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}, ${rounds} ${rounds === 1 ? 'round' : 'rounds'}, load average ${loadavg()[0]!.toFixed(1)} at the end.${loadavg()[0]! > 2.5 ? ' **The machine was busy with other work: use the ratios, with caution, and not the absolute figures.**' : ''}

${sections.join('\n\n')}
`
}
