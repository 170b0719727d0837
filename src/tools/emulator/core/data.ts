import { DEFAULT_DATASET, ORGANIZATION } from '../dataset/datasets.ts'
import { parseDataset } from '../dataset/parse-dataset.ts'
import { projectDataset } from '../dataset/project-dataset.ts'
import type { EmulatorSettings } from './options.ts'
import type { ProjectEntries } from './project.ts'
import type { Dataset, Organization } from '../store/documents.ts'
import { openStore, type StoredDocument } from '../store/store.ts'

const IS_FILLED = 'isFilled'

/**
 * Opens the data, and fills a new database.
 *
 * @throws {SidecardError} `invalid_dataset`, or an error of the database
 */
export function createData({ database, dataset }: EmulatorSettings, project: ProjectEntries) {
  const custom = dataset === undefined ? undefined : parseDataset(dataset)
  const store = openStore(database)

  function fill(keepApps: boolean): void {
    const customers = project.customers()
    const own = customers.length > 0 ? projectDataset(customers) : DEFAULT_DATASET
    store.replace(toDocuments(custom ?? own), keepApps ? ['app'] : [])
    store.setSetting(IS_FILLED, 'true')
  }

  if (store.setting(IS_FILLED) === undefined) fill(false)

  return {
    store,
    organization: (): Organization => store.all('organization')[0] ?? ORGANIZATION,
    /** Restores the initial data. */
    reset: fill,
  }
}

/** Converts a data set to documents, in the order of the lists. */
function* toDocuments({ issue: issues, ...lists }: Dataset): Generator<StoredDocument> {
  for (const [kind, bodies] of Object.entries(lists)) {
    for (const body of bodies) yield { kind, parent: '', id: body.id ?? '', body }
  }
  for (const { messages, ...issue } of issues) {
    yield { kind: 'issue', parent: '', id: issue.id, body: issue }
    for (const message of messages) {
      yield { kind: 'message', parent: issue.id, id: message.id, body: message }
    }
  }
}
