import { existsSync, readFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { basename, dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import { writeAtomically } from './cache.mjs'

/** Stores the code that V8 compiled in the first run, because compiling takes a third of the CPU time of `npm start`. */
export async function runBundle(path) {
  const codePath = `${path}.code`
  const cachedData = existsSync(codePath) ? readFileSync(codePath) : undefined
  const script = new Script(readFileSync(path, 'utf8'), { filename: path, cachedData })
  registerSourceMap(path)
  await script.runInThisContext()(createRequire(path), pathToFileURL(path).href, dirname(path))
  if (!cachedData || script.cachedDataRejected) writeAtomically(codePath, script.createCachedData())
}

const sourceMapped = new Module('source map')

/** Node reads only the source maps of modules, and keeps them as long as the module. */
function registerSourceMap(path) {
  sourceMapped._compile(`//# sourceMappingURL=${basename(path)}.map`, path)
}
