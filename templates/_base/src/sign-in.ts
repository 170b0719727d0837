import type { AgentSource } from 'sidecard/actions'

/**
 * Finds out which agent opened the page of an action. `npm run dev` and the tests provide an
 * agent. In production, everyone is denied until you replace this function: see "Actions" in
 * README.md.
 */
export const signIn: AgentSource = () => {
  throw new Error('No sign-in is set up for actions: see src/sign-in.ts.')
}
