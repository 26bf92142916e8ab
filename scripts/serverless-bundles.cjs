'use strict'
/** Serverless plugin: packages the zips of scripts/build.ts, and builds first if they are missing or outdated. */
const { execFileSync } = require('node:child_process')
const { existsSync, readdirSync, statSync } = require('node:fs')
const { join } = require('node:path')

const BUILT = [join('dist', 'packages', 'sources.json'), join('web', 'dist', 'index.html')]
const SOURCES = ['functions', 'lib', 'packages', 'schemas', 'scripts', 'web', 'package-lock.json', 'serverless.yml']

module.exports = class Bundles {
  constructor(serverless) {
    this.serverless = serverless
    const useBundles = () => this.useBundles()
    this.hooks = {
      'before:package:cleanup': () => this.build(),
      'before:package:createDeploymentArtifacts': useBundles,
      'before:deploy:function:packageFunction': useBundles,
    }
  }

  build() {
    const { serviceDir } = this.serverless
    const isProject = existsSync(join(serviceDir, 'scripts', 'build.ts'))
    if (!isProject || isUpToDate(serviceDir)) return
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
    execFileSync(npm, ['run', 'build'], { cwd: serviceDir, stdio: 'inherit' })
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

function isUpToDate(root) {
  const built = BUILT.map((path) => join(root, path))
  if (!built.every(existsSync)) return false
  const builtAt = Math.min(...built.map((path) => statSync(path).mtimeMs))
  return SOURCES.every((path) => changedAt(join(root, path)) <= builtAt)
}

function changedAt(path) {
  if (!existsSync(path)) return 0
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  const names = readdirSync(path).filter((name) => name !== 'dist' && name !== 'node_modules')
  return Math.max(0, ...names.map((name) => changedAt(join(path, name))))
}
