'use strict'
/** A Serverless plugin: loads serverless-offline for `npm run offline`, which installs it. Other commands work without. */
module.exports = process.argv.includes('offline') ? require('serverless-offline').default : class Nothing {}
