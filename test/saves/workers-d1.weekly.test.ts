import { testSaves } from './save-files.ts'

testSaves('workers-d1')
