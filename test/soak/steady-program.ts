/** Runs the steady soak alone, and prints its result as JSON. The argument is its duration in seconds. */
import { steadySoak } from './steady.ts'

const result = await steadySoak({ count: Number(process.argv[2]), seed: 0 })
console.log(JSON.stringify(result))
