'use strict'
/**
 * A Serverless plugin: each function's package is the zip that scripts/build.ts made for it.
 * CommonJS, because the Serverless Framework loads plugins with `require`.
 */
const { existsSync } = require('node:fs')
const { join } = require('node:path')

module.exports = class Bundles {
  constructor(serverless) {
    this.serverless = serverless
    const useBundles = () => this.useBundles()
    this.hooks = {
      'before:package:createDeploymentArtifacts': useBundles,
      'before:deploy:function:packageFunction': useBundles,
    }
  }

  useBundles() {
    const { service, serviceDir, classes } = this.serverless
    for (const [name, definition] of Object.entries(service.functions)) {
      const artifact = join('dist', 'packages', `${name}.zip`)
      if (!existsSync(join(serviceDir, artifact))) {
        throw new classes.Error(`${artifact} is missing: run "npm run build" first.`)
      }
      definition.package = { ...definition.package, artifact, individually: true }
    }
  }
}
