/** Bundles a listener like the public CLI does: one CommonJS module that exports the listening client. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const buildEntrySource = (listener: string) => `
  const { Client, FlatfileVirtualMachine } = require('@flatfile/listener')
  const client = Client.create(require(${JSON.stringify(listener)}).default)
  client.mount(new FlatfileVirtualMachine())
  module.exports = client
`

export async function bundleAgent(path: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: buildEntrySource(path), resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'js' },
    bundle: true,
    write: false,
    minify: true,
    keepNames: true,
    platform: 'node',
    target: 'es2020',
    format: 'cjs',
    logLevel: 'error',
  })
  return outputFiles[0]!.text
}

export const bundleSampleAgent = (): Promise<string> =>
  bundleAgent(fileURLToPath(new URL('./listener.ts', import.meta.url)))
