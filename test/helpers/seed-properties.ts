import fc from 'fast-check'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    readonly seed: number | null
  }
}

const seed = inject('seed')
if (seed !== null) fc.configureGlobal({ seed })
