/** The bindings of the tests. */
export const env = {
  SIDECARD_SECRET: 'test',
}
