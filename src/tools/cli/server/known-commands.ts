import { basename } from 'node:path'

/** Matches programs that reload their server after each save. */
const RELOADERS =
  /^(?:wrangler|nodemon|vite|next|nuxt|astro|remix|tsx-watch|ts-node-dev|air|flask|uvicorn)$/

/** Returns whether a command reloads its server itself, so that it must not be restarted. */
export function reloadsItself(command: readonly string[]): boolean {
  return command.some(
    (each) =>
      RELOADERS.test(basename(each)) || /^(?:watch|--watch(?:[-=].*)?|--hot|--reload)$/.test(each),
  )
}

/**
 * Adds the port and variables to `wrangler dev`, because a Worker cannot read the
 * environment of its process. Options that the command contains take precedence.
 */
export function withWorkerVariables(
  command: readonly string[],
  port: string,
  variables: Readonly<Record<string, string>>,
): readonly string[] {
  const index = command.findIndex((each) => basename(each) === 'wrangler')
  if (index === -1 || command[index + 1] !== 'dev') return command
  const own = command.slice(index)
  const hasOption = (pattern: RegExp) => own.some((each) => pattern.test(each))
  return [
    ...command,
    ...(port === '' || hasOption(/^--port(?:=|$)/) ? [] : ['--port', port]),
    ...Object.entries(variables).flatMap(([name, value]) =>
      hasOption(new RegExp(`^(?:--var=)?${name}:`)) ? [] : ['--var', `${name}:${value}`],
    ),
  ]
}
