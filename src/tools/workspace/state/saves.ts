import type { SaveView } from '../../emulator/protocol/workspace.ts'
import { workspace } from '../core/workspace.ts'

/** Returns what happened to the newest save of an app's files. */
export function saveOf(appId: string): SaveView | undefined {
  return workspace.value?.saves.find(({ appIds }) => appIds.includes(appId))
}

/** Returns whether the new code of an app is awaited, so that a failed request may be one that was cut. */
export function isAwaited(appId: string): boolean {
  const phase = saveOf(appId)?.phase
  return phase === 'saved' || phase === 'waiting'
}

/** Returns whether an app's sidebar is from older code than the newest save. */
export function isBehind(appId: string): boolean {
  const phase = saveOf(appId)?.phase
  return isAwaited(appId) || phase === 'loading' || phase === 'failed'
}

/** Replaces what happened to the newest saves. */
export function setSaves(saves: readonly SaveView[]): void {
  const state = workspace.peek()
  if (state !== null) workspace.value = { ...state, saves }
}
