import { testRecipes } from './add-recipes.ts'

testRecipes('node-sqlite')
