import { resolve } from 'node:path'
import { build } from 'esbuild'

const ROOT = resolve(import.meta.dirname, '../..')
export const PUBLIC_HOOK = '@flatfile/plugin-record-hook'
export const OWN_HOOK = resolve(ROOT, 'packages/record-hook/src/index.ts')

export async function bundleRecordHook(plugin: string, callback: string, sheetSlug = 'people'): Promise<string> {
  const contents = `import { FlatfileListener } from '@flatfile/listener'
    import { recordHook } from '${plugin}'
    const listener = FlatfileListener.create((client) => client.use(recordHook('${sheetSlug}', ${callback})))
    export const routeEvent = (event) => listener.dispatchEvent(event)`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: resolve(ROOT, 'test/published') },
    ...{ bundle: true, platform: 'node', format: 'cjs', target: 'node20', write: false, logLevel: 'error' },
  })
  return outputFiles[0]!.text
}
