/**
 * Functions of the stack that run customers' code: bundled into a folder when they are first called, for a process that may
 * read this folder and nothing else.
 */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { READ_FILES } from '../../../scripts/read-files.ts'
import type { IsolatedFunction } from '../lambda/functions.ts'
import type { StackFunction } from '../stack.ts'

/** @param folder for the code of all of them */
export function isolatedFunction(root: string, folder: string, definition: StackFunction): IsolatedFunction {
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
      await bundle(modulePath, join(codeDir, `${module}.mjs`))
      for (const path of READ_FILES[key] ?? []) {
        mkdirSync(dirname(join(codeDir, path)), { recursive: true })
        copyFileSync(join(root, path), join(codeDir, path))
      }
      return codeDir
    },
  }
}

async function bundle(modulePath: string, outfile: string): Promise<void> {
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
