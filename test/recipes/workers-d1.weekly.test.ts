import { testRecipes } from './add-recipes.ts'

testRecipes('workers-d1')
