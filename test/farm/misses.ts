/** Why each missed seed is missed. */
export const MISSES: Readonly<Record<string, string>> = {
  'text-none': '"None" is also a word that people write',
  'text-infinity': '"Infinity" is also the name of companies',
  'link-user': 'a user name in a URL is not secret',
  'python/text-none': '"None" is also a word that people write',
  'python/code-plus-kept':
    'the checker sends a space as %20 only, which every decoder reads the same way',
}
