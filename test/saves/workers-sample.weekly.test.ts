import { testSaves } from './save-files.ts'

testSaves('workers-sample')
