import { describe } from 'vitest'
import { memoryClaims } from 'sidecard/actions'
import { testClaims } from '../helpers/claims.ts'

describe('memoryClaims', () => {
  testClaims(() => memoryClaims())
})
