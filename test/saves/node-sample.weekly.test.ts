import { testSaves } from './save-files.ts'

testSaves('node-sample')
