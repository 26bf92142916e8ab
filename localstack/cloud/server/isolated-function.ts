/** Functions that run customers' code, bundled on their first call for a process that reads only this folder. */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { READ_FILES } from '../../../scripts/read-files.ts'
import type { IsolatedFunction } from '../lambda/functions.ts'
import type { StackFunction } from '../stack.ts'

export function createIsolatedFunction(root: string, folder: string, definition: StackFunction): IsolatedFunction {
  const { key, modulePath, exportName, timeoutSeconds, memoryMegabytes } = definition
  const module = relative(root, modulePath)
  return {
    handler: `${module}.${exportName}`,
    timeoutSeconds,
    memoryMegabytes,
    async unpack() {
      const codeDir = join(folder, key)
      rmSync(codeDir, { recursive: true, force: true })
      mkdirSync(codeDir, { recursive: true })
      await bundleModule(modulePath, join(codeDir, `${module}.mjs`))
      for (const path of READ_FILES[key] ?? []) {
        mkdirSync(dirname(join(codeDir, path)), { recursive: true })
        copyFileSync(join(root, path), join(codeDir, path))
      }
      return codeDir
    },
  }
}

async function bundleModule(modulePath: string, outfile: string): Promise<void> {
  const { build } = await import('esbuild')
  await build({
    entryPoints: [`${modulePath}.ts`],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    mainFields: ['module', 'main'],
    logLevel: 'error',
  })
}
