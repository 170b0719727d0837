/** Returns the README without pictures, and with paths instead of relative links. */
export function toPackageReadme(readme: string): string {
  return (
    readme
      .replaceAll(/<picture>[^]*?<\/picture>\n\n/g, '')
      // A table whose cells are pictures, with their captions.
      .replaceAll(/^\|.*!\[[^]*?\n\n/gm, '')
      // The package does not contain these files.
      .replace(/^\[Contributing\].*\n/m, '')
      .replaceAll(/\[([^\]]+)\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g, '$1 (`$2`)')
  )
}
