/** Builds the web application into `web/dist`: static files without inline scripts, split by route. */
import { resolve } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

const here = import.meta.dirname

/**
 * The grid loads the editor of its cells when the first is opened: what is typed until then would be lost. It is built in, with
 * the sheet's own part of the application.
 */
const editorAtOnce: Plugin = {
  name: 'editor-at-once',
  transform(code, id) {
    if (!id.endsWith('/glide-data-grid/dist/esm/data-editor/data-editor.js')) return undefined
    const [lazy, path] = /React\.lazy\(async \(\) => await import\(("[^"]+")\)\)/.exec(code) ?? []
    if (!lazy) return this.error('The grid loads its editor in another way than this build knows.')
    return { code: `import EditorAtOnce from ${path}\n${code.replace(lazy, 'EditorAtOnce')}`, map: null }
  },
}

export default defineConfig({
  root: here,
  plugins: [editorAtOnce],
  // The packages' own configuration of the repository is none of the application's.
  publicDir: resolve(here, 'public'),
  build: {
    outDir: resolve(here, 'dist'),
    emptyOutDir: true,
    target: 'es2022',
    // A data: address in a script or style is refused by the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: { index: resolve(here, 'index.html'), 'wharf-importer': resolve(here, 'embed/wharf-importer.ts') },
      // Pages of others name the importer: it stays where it is and keeps what it exports.
      preserveEntrySignatures: 'exports-only',
      output: { entryFileNames: ({ name }) => (name === 'wharf-importer' ? '[name].js' : 'assets/[name]-[hash].js') },
      // "use client" means something to servers alone.
      checks: { moduleLevelDirective: false },
    },
  },
})
