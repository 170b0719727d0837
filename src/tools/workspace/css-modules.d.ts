/** The names of the classes of a style file. A test finds names that are missing or not used. */
declare module '*.module.css' {
  const names: Readonly<Record<string, string>>
  export default names
}

declare module '*.css'
