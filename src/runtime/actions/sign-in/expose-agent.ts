import type { Agent, IdentifiedAgent } from './agent.ts'
import type { DenialError } from './denial-error.ts'
import { groupsUnknown, listedGroups } from './groups.ts'

/** The groups that a rule has asked for, and the error if it has read unknown ones. */
export interface AskedGroups {
  readonly names: Set<string>
  error?: DenialError | undefined
}

/**
 * Returns the agent for user code, whose groups throw if they are not known. A rule may
 * catch this, so the error is also noted.
 *
 * @param canCopy whether a copy leaves unknown groups out. Otherwise, copying throws as well.
 */
export function exposeAgent(agent: IdentifiedAgent, asked: AskedGroups, canCopy: boolean): Agent {
  const { groups, ...rest } = agent
  const reject = (problem: string): never => {
    asked.error = groupsUnknown(problem)
    throw asked.error
  }
  if (groups === undefined) {
    const get = () => reject(NOT_NAMED)
    return Object.defineProperty(rest, 'groups', { get, enumerable: !canCopy }) as Agent
  }
  const names = listedGroups.get(groups)
  const note = (name: unknown) => {
    if (typeof name === 'string') asked.names.add(name)
    if (names?.includes(name as string) !== false) return
    reject(`Add ${String(name)} to the option groups of openIdConnect().`)
  }
  const list = [...groups]
  for (const method of ['includes', 'indexOf'] as const) {
    const value = (name: string, from?: number) => (note(name), groups[method](name, from))
    Object.defineProperty(list, method, { value })
  }
  return { ...rest, groups: list }
}

const NOT_NAMED =
  'Set groups of openIdConnect(), groupsClaim of signedHeader() or cloudflareAccess(), or groupsHeader of trustedHeader(), or return groups from your own function.'
