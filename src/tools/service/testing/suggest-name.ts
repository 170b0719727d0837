import { closestMatch } from '../../../runtime/internal/closest-match.ts'
import { quote } from '../../internal/escape-for-display.ts'

/** Suggests the nearest of the known names, or lists twenty of them in a sentence. */
export function suggestName(
  name: string,
  known: readonly string[],
  list: (names: string) => string,
): string {
  const nearest = closestMatch(name, known)
  if (nearest !== undefined) return `Did you mean ${quote(nearest)}?`
  const shown = known.slice(0, 20).map((each) => quote(each))
  return list(shown.join(', ') || 'none')
}
