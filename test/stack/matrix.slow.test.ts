import { PROGRAMS } from './matrix.ts'
import { testMatrix } from './test-matrix.ts'

testMatrix(PROGRAMS)
