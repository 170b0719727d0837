import { quote } from '../internal/escape-for-display.ts'
import { containsText } from '../internal/shown-text.ts'
import { type Path, problemAt, suggestName } from './problem.ts'
import type { ProjectCustomer, ProjectSource } from './project.ts'
import type { ProjectFile } from './schema.ts'

/**
 * Asserts that all customers that a file names exist, and that texts distinguish
 * the customers. A file in git may only name customers in git.
 *
 * @throws {SidecardError} `invalid_project`
 */
export function assertValidCustomers(
  file: ProjectSource<ProjectFile>,
  customers: readonly ProjectCustomer[],
): void {
  const known = customers
    .filter(({ name }) => file.isLocal || Object.hasOwn(file.value.customers, name))
    .map(({ name }) => name)
  const assertKnown = (name: string | undefined, ...path: Path) => {
    if (name === undefined || known.includes(name)) return
    const hint = suggestName('customers', name, known)
    throw problemAt(file, path, `is not a customer of ${file.file}. ${hint}`)
  }
  for (const [app, { environments }] of Object.entries(file.value.apps)) {
    for (const [name, environment] of Object.entries(environments)) {
      environment.customers?.forEach((customer, index) =>
        assertKnown(customer, 'apps', app, 'environments', name, 'customers', index),
      )
    }
  }
  for (const [name, { customer }] of Object.entries(file.value.states)) {
    assertKnown(customer, 'states', name, 'customer')
  }
  const texts = customers.flatMap(({ name, place, shows }) =>
    shows.map((text, index) => ({ name, place, index, text })),
  )
  for (const { name, place, index, text } of texts) {
    if (place.file !== file.file) continue
    // A text that another sidebar also shows would prove nothing.
    const other = texts.find((each) => each.name !== name && containsText(each.text, text))
    if (other === undefined) continue
    const problem = `is contained in a text of ${quote(other.name)}. Use a text that only one sidebar shows`
    throw problemAt(file, ['customers', name, 'shows', index], problem)
  }
}
