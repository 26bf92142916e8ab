/** Builds the web app into `web/dist`: static files without inline scripts, split by route. */
import { resolve } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

const webRoot = import.meta.dirname

/** The grid lazy-loads its cell editor and loses text typed meanwhile, so the editor is bundled eagerly. */
const eagerEditor: Plugin = {
  name: 'editor-at-once',
  transform(code, id) {
    if (!id.endsWith('/glide-data-grid/dist/esm/data-editor/data-editor.js')) return undefined
    const [lazy, path] = /React\.lazy\(async \(\) => await import\(("[^"]+")\)\)/.exec(code) ?? []
    if (!lazy) return this.error('The grid loads its editor in another way than this build knows.')
    return { code: `import EditorAtOnce from ${path}\n${code.replace(lazy, 'EditorAtOnce')}`, map: null }
  },
}

/** Chunks are loaded in any order, and the first one decides the order of the layers. */
const layerOrder: Plugin = {
  name: 'layer-order',
  enforce: 'pre',
  transform: (code, id) =>
    /\/web\/\w.*\.css$/.test(id) ? { code: `@layer base, ui, pages;\n${code}`, map: null } : undefined,
}

export default defineConfig({
  root: webRoot,
  plugins: [eagerEditor, layerOrder],
  publicDir: resolve(webRoot, 'public'),
  build: {
    outDir: resolve(webRoot, 'dist'),
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy rejects data: URLs in scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: { fileName: 'licences.md' },
    rolldownOptions: {
      input: { index: resolve(webRoot, 'index.html'), 'wharf-importer': resolve(webRoot, 'embed/wharf-importer.ts') },
      // Other sites reference this file, so its name and exports must stay stable.
      preserveEntrySignatures: 'exports-only',
      output: {
        entryFileNames: ({ name }) => (name === 'wharf-importer' ? '[name].js' : 'assets/[name]-[hash].js'),
        // On a slow processor each further file of the first page takes about 50 ms.
        codeSplitting: { groups: [{ name: 'first-page', test: /\/web\/shared\/main\.tsx$/ }] },
      },
      // "use client" matters only to servers.
      checks: { moduleLevelDirective: false },
    },
  },
})
