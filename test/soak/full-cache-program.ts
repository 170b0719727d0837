/** Runs the soak of the full cache alone, and prints its result as JSON. The argument is its size. */
import { fullCacheSoak } from './full-cache.ts'

const result = await fullCacheSoak({ count: Number(process.argv[2]), seed: 0 })
console.log(JSON.stringify(result))
