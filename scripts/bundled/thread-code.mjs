/** The code of worker threads is a text in other bundles, because a function's package has one file. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const ENTRY = 'lib/threads/thread.ts'
export const THREAD_SOURCES = [ENTRY, 'lib/core/threads/serve.ts', 'scripts/bundled/thread-code.mjs']

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

async function buildThreadCode() {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [ENTRY],
    bundle: true,
    minify: true,
    write: false,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    mainFields: ['module', 'main'],
    logLevel: 'error',
  })
  return outputFiles[0].text
}

const CODE_MODULE = /[\\/]lib[\\/]core[\\/]threads[\\/]code\.ts$/

let code
async function loadCodeModule() {
  code ??= buildThreadCode()
  return `export const THREAD_CODE=${JSON.stringify(await code)}`
}

export const threadCode = {
  name: 'thread-code',
  setup: ({ onLoad }) => onLoad({ filter: CODE_MODULE }, async () => ({ contents: await loadCodeModule() })),
}

export const threadCodeInTests = {
  name: 'thread-code',
  enforce: 'pre',
  load: (id) => (CODE_MODULE.test(id) ? loadCodeModule() : undefined),
}
