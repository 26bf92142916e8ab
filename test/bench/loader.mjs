/**
 * Loads TypeScript as the bundles of the product are made, which tsx does not: it has every function keep its name, and
 * code that makes many functions pays for it.
 */
import { readFile } from 'node:fs/promises'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import { transform } from 'esbuild'

if (isMainThread) register(import.meta.url)

/** Node's hook: called in the loader's thread. */
export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context)
  const source = await readFile(fileURLToPath(url), 'utf8')
  const { code } = await transform(source, { loader: 'ts', format: 'esm', target: 'node20', sourcefile: url })
  return { format: 'module', source: code, shortCircuit: true }
}
