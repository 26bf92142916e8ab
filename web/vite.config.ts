/** Builds the web application into `web/dist`: static files without inline scripts, split by route. */
import { resolve } from 'node:path'
import { defineConfig } from 'vite'

const here = import.meta.dirname

export default defineConfig({
  root: here,
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
