import { SidecardError } from '../../internal/errors.ts'
import { BUILT_IN, ORGANIZATION } from '../dataset/datasets.ts'
import { parseDataset } from '../dataset/parse-dataset.ts'
import { projectDataset } from '../dataset/project-dataset.ts'
import type { EmulatorSettings } from './options.ts'
import type { ProjectEntries } from './project.ts'
import type { Dataset, Organization } from '../store/documents.ts'
import { type DatasetName, DATASETS } from '../protocol/workspace.ts'
import { openStore, type StoredDocument } from '../store/store.ts'

const SETTING = 'dataset'

/**
 * Opens the data, and fills a new database.
 *
 * @throws {SidecardError} `invalid_dataset`, or an error of the database
 */
export function createData({ database, dataset }: EmulatorSettings, project: ProjectEntries) {
  const customers = project.customers()
  const custom =
    typeof dataset !== 'string'
      ? parseDataset(dataset)
      : dataset === 'default' && customers.length > 0
        ? projectDataset(customers)
        : undefined
  const store = openStore(database)
  const datasets: { readonly [Name in DatasetName]?: () => Partial<Dataset> } = {
    ...BUILT_IN,
    ...(custom && { custom: () => custom }),
  }
  const available = DATASETS.filter((name) => name in datasets)

  function fill(name: DatasetName, keepApps: boolean): void {
    const create = datasets[name]
    if (create === undefined) {
      const message = `The emulator has no custom data set. Use one of ${available.join(', ')}.`
      throw new SidecardError('unknown_dataset', message)
    }
    store.replace(toDocuments(create()), keepApps ? ['app'] : [])
    store.setSetting(SETTING, name)
  }

  const current = (): DatasetName =>
    DATASETS.find((name) => name === store.setting(SETTING)) ?? 'default'
  if (store.setting(SETTING) === undefined) {
    fill(custom === undefined && typeof dataset === 'string' ? dataset : 'custom', false)
  }

  return {
    store,
    /** The data sets that `reset` accepts. */
    available,
    /** Returns the name of the initial data set. */
    current,
    organization: (): Organization => store.all('organization')[0] ?? ORGANIZATION,
    /** @throws {SidecardError} `unknown_dataset` */
    reset: (name: DatasetName | undefined, keepApps: boolean) => fill(name ?? current(), keepApps),
  }
}

/** Converts a data set to documents, in the order of the lists. */
function* toDocuments({
  issue: issues = [],
  ...lists
}: Partial<Dataset>): Generator<StoredDocument> {
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
