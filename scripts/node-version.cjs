'use strict'
/** Stops on an outdated Node, before modules load that it cannot parse. Must stay within ES2015. */
const wanted = require('../package.json').engines.node.replace('>=', '')
const [major, minor] = wanted.split('.').map(Number)
const [foundMajor, foundMinor] = process.versions.node.split('.').map(Number)

if (foundMajor < major || (foundMajor === major && foundMinor < minor)) {
  console.error(`Wharf needs Node ${wanted} or newer; this is Node ${process.versions.node}.`)
  process.exit(1)
}
