/** Runs the soak of the full cache alone, with exact memory: its size, and its result as JSON. */
import { fullCacheSoak } from './full-cache.ts'

const result = await fullCacheSoak({ count: Number(process.argv[2]), seed: 0 })
console.log(JSON.stringify(result))
