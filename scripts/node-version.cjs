'use strict'
/**
 * Ends a command on a Node that is too old with one sentence. npm runs it before the commands that a newcomer meets first, because
 * an old Node fails at loading their modules. Nothing newer than ES2015 here.
 */
const wanted = require('../package.json').engines.node.replace('>=', '')
const [major, minor] = wanted.split('.').map(Number)
const [foundMajor, foundMinor] = process.versions.node.split('.').map(Number)

if (foundMajor < major || (foundMajor === major && foundMinor < minor)) {
  console.error(`Wharf needs Node ${wanted} or newer; this is Node ${process.versions.node}.`)
  process.exit(1)
}
