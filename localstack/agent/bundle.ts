/** Bundles a listener the way the public command line does: one CommonJS module whose exports are the listening client. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** The client routes each event it is given (`routeEvent`) to the callbacks the listener registered. */
const entry = (listener: string) => `
  const { Client, FlatfileVirtualMachine } = require('@flatfile/listener')
  const client = Client.create(require(${JSON.stringify(listener)}).default)
  client.mount(new FlatfileVirtualMachine())
  module.exports = client
`

/** @param path a module whose default export takes a listener; @returns the text to deploy as an agent's `source` */
export async function bundleAgent(path: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entry(path), resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'js' },
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

/** The sample agent, ready to deploy for the topic `commit:created`. */
export const bundleSampleAgent = (): Promise<string> =>
  bundleAgent(fileURLToPath(new URL('./listener.ts', import.meta.url)))
