import { readProperty } from './hostile-values.ts'

/**
 * The key of {@link ActionTestSettings} in the `props` of an execution context. As
 * a symbol, it cannot occur in data.
 */
export const ACTION_TEST: unique symbol = Symbol.for('sidecard.actionTest') as never

/** The parts that a test provides instead of the app's own, for one in-process request. */
export interface ActionTestSettings {
  readonly agent?: unknown
  /** The time in milliseconds since 1970. */
  readonly now?: (() => number) | undefined
  readonly receipts?: unknown
}

/** Returns the settings of the test that sent a request, or `undefined` outside of tests. */
export function readActionTest(c: object): ActionTestSettings | undefined {
  // Hono's getter throws where the host has no execution context.
  const props = readProperty(readProperty(c, 'executionCtx'), 'props')
  return readProperty(props, ACTION_TEST) as ActionTestSettings | undefined
}
