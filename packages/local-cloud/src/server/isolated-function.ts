/** Functions that run customers' code, bundled on their first call for a process that reads only its folder. */
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { IsolatedFunction } from '../lambda/functions.ts'
import type { StackFunction } from '../stack.ts'

interface Folders {
  root: string
  target: string
}

/** `readFiles` are paths below the root that the function reads at run time. */
export function createIsolatedFunction(
  { root, target }: Folders,
  definition: StackFunction,
  readFiles: readonly string[] = [],
): IsolatedFunction {
  const { key, module, modulePath, exportName, timeoutSeconds, memoryMegabytes } = definition
  return {
    handler: `${module}.${exportName}`,
    timeoutSeconds,
    memoryMegabytes,
    async unpack() {
      const codeDir = join(target, key)
      rmSync(codeDir, { recursive: true, force: true })
      mkdirSync(codeDir, { recursive: true })
      await writeBundle(modulePath, join(codeDir, `${module}.mjs`))
      for (const path of readFiles) {
        mkdirSync(dirname(join(codeDir, path)), { recursive: true })
        copyFileSync(join(root, path), join(codeDir, path))
      }
      return codeDir
    },
  }
}

/** A packaged platform contains the bundles, because its machine may have no bundler. */
async function writeBundle(modulePath: string, outfile: string): Promise<void> {
  const bundlePath = `${modulePath}.mjs`
  if (!existsSync(bundlePath)) return bundleModule(modulePath, outfile)
  mkdirSync(dirname(outfile), { recursive: true })
  copyFileSync(bundlePath, outfile)
}

export async function bundleModule(modulePath: string, outfile: string): Promise<void> {
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
