// Names what is missing before the first command runs. Plain JavaScript without
// dependencies, because it has to run on any version of Node and before `npm install`.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const { engines } = JSON.parse(readFileSync('package.json', 'utf8'))
const [major, minor] = engines.node.match(/\d+/g).map(Number)
const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number)
const [secretsFile] = process.argv.slice(2)

const problems = []
if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  const own = `You are running Node ${process.versions.node}.`
  problems.push(`This project requires Node ${major}.${minor} or later. ${own}`)
}
try {
  // In a workspace, the packages are in a folder above this one.
  createRequire(import.meta.url).resolve('sidecard/package.json')
} catch {
  problems.push('Packages are not installed. Run npm install.')
}
if (secretsFile !== undefined && !existsSync(secretsFile)) {
  problems.push(`Copy ${secretsFile}.example to ${secretsFile} and set the values.`)
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
