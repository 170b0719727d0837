import { TEMPLATES } from '../../src/tools/cli/new/templates.ts'
import { testFailures } from './failures.ts'

testFailures(
  TEMPLATES.map(({ name }) => name).filter((name) => name !== 'node' && name !== 'workers'),
)
