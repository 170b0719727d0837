import { quote } from '../internal/escape-for-display.ts'
import { containsText } from '../internal/shown-text.ts'
import { type FindPlace, type Path, problemAt, suggestName } from './problem.ts'
import { listTargets, type ProjectFile } from './schema.ts'

/**
 * Asserts that each URL means one app, that all customers that are named exist, and
 * that the texts of the customers distinguish them. A file in git names only
 * customers in git, because it is also checked without the other file.
 *
 * @throws {SidecardError} `invalid_project`
 */
export function assertConsistent(project: ProjectFile, file: string, findPlace: FindPlace): void {
  const customers = Object.entries(project.customers)
  const known = Object.keys(project.customers)
  const assertKnown = (name: string | undefined, ...path: Path) => {
    if (name === undefined || known.includes(name)) return
    const hint = suggestName('customers', name, known)
    throw problemAt(findPlace, path, `is not a customer of ${file}. ${hint}`)
  }
  const owners = new Map<string, string>()
  for (const { name, environment = '', url, path, customers: named } of listTargets(project)) {
    const other = owners.get(url)
    // On the command line, a URL selects one app or environment.
    if (other !== undefined)
      throw problemAt(findPlace, [...path, 'url'], `is also the URL of ${other}`)
    owners.set(url, `${name} ${environment}`.trim())
    named?.forEach((customer, index) => assertKnown(customer, ...path, 'customers', index))
  }
  for (const [name, { customer }] of Object.entries(project.states)) {
    assertKnown(customer, 'states', name, 'customer')
  }
  const texts = customers.flatMap(([name, { shows }]) =>
    shows.map((text, index) => ({ name, text, index })),
  )
  for (const [index, unknown] of (project.unknown?.shows ?? []).entries()) {
    const same = texts.find(
      ({ text }) => containsText(text, unknown) || containsText(unknown, text),
    )
    if (same === undefined) continue
    const problem = `and a text of ${quote(same.name)} contain each other. Use a text that no customer shows`
    throw problemAt(findPlace, ['unknown', 'shows', index], problem)
  }
  for (const { name, text, index } of texts) {
    // A text that another sidebar also shows would prove nothing.
    const other = texts.find((each) => each.name !== name && containsText(each.text, text))
    if (other === undefined) continue
    const problem = `is contained in a text of ${quote(other.name)}. Use a text that only one customer shows`
    throw problemAt(findPlace, ['customers', name, 'shows', index], problem)
  }
}
