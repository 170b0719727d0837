/** Writes the version of the Node that runs it. */
console.log(JSON.stringify(process.version.slice(1)))
