/** A bundle of sources that ask for their own path, which is that of the bundle. */
import { readFileSync } from 'node:fs'

/** For dependencies: some CommonJS code calls `require`, which an ES module does not have. */
export const BANNER = [
  "import{createRequire as __createRequire}from'node:module'",
  'const require=__createRequire(import.meta.url)',
  'Object.assign(globalThis,{__sourceUrl:import.meta.url,__sourceFolder:import.meta.dirname});',
].join(';')

export const DEFINE = { 'import.meta.url': '__sourceUrl', 'import.meta.dirname': '__sourceFolder' }

/** `express` returns the JavaScript expressions of a source's `url` and `folder`. */
export const sourcePaths = (express) => ({
  name: 'source-paths',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (path.includes('node_modules') || !text.includes('import.meta')) return undefined
      const { url, folder } = express(path)
      return { contents: `const __sourceUrl=${url},__sourceFolder=${folder};${text}`, loader: 'ts' }
    }),
})
