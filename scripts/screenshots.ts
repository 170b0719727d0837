/** `node scripts/screenshots.ts`: takes the pictures in docs/images, in a real browser. */
import { runProgram } from './run-program.ts'

const SOURCE = './test/helpers/use-source.ts'

runProgram('node', 'scripts/build-ui.ts')
runProgram('node', 'scripts/screenshots/take.ts')
runProgram('node', '--import', SOURCE, 'scripts/screenshots/take-actions.ts')
