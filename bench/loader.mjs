/** Loads TypeScript as it is bundled: tsx keeps function names, which slows code that creates many functions. */
import { readFile } from 'node:fs/promises'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import { transform } from 'esbuild'

if (isMainThread) register(import.meta.url)

export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context)
  const source = await readFile(fileURLToPath(url), 'utf8')
  // By default esbuild removes the attributes that imports of JSON need.
  const supported = { 'import-attributes': true }
  const { code } = await transform(source, {
    loader: 'ts',
    format: 'esm',
    target: 'node20',
    supported,
    sourcefile: url,
  })
  return { format: 'module', source: code, shortCircuit: true }
}
