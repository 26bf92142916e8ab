/** Bundles a listener as agents load it: one CommonJS file with everything it imports. */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { BuildContext, BuildOptions, BuildResult, Message } from 'esbuild'
import { UsageError } from '../exit-codes.ts'

const DEFAULT_FILES = ['src/listener.ts', 'src/listener.js', 'listener.ts', 'listener.js', 'src/index.ts', 'index.ts']

export interface Bundle {
  source: string
  sourceMap: string
}

export function findListener(file: string | undefined): string {
  const names = file === undefined ? DEFAULT_FILES : [file]
  const found = names.map((name) => resolve(name)).find(existsSync)
  if (!found) throw new UsageError(`There is no listener: looked for ${names.join(', ')}.`)
  return found
}

const loadEsbuild = () => import('esbuild')

const buildOptions = (file: string, wrapper?: string): BuildOptions & { write: false } => ({
  ...(wrapper ? { stdin: { contents: wrapper, resolveDir: dirname(file) } } : { entryPoints: [file] }),
  outfile: resolve('listener.cjs'),
  bundle: true,
  write: false,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  sourcemap: 'external',
  logLevel: 'silent',
})

function readBundle({ outputFiles = [] }: BuildResult): Bundle {
  const read = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))!.text
  return { source: read('.cjs'), sourceMap: read('.cjs.map') }
}

export async function formatProblems(problems: Message[]): Promise<string> {
  const { formatMessages } = await loadEsbuild()
  const lines = await formatMessages(problems, { kind: 'error', color: process.stderr.isTTY })
  return lines.join('').trimEnd()
}

/** A listener of the public form is a function that gets a `FlatfileListener`. */
const wrapFunction = (file: string) => `
  import { FlatfileListener } from '@flatfile/listener'
  import * as exported from ${JSON.stringify(file)}
  const setup = exported.default?.default ?? exported.default ?? exported
  const listener = FlatfileListener.create(setup)
  export const routeEvent = (event) => listener.routeEvent(event)`

/** @throws UsageError with the lines of the source that cannot be bundled */
export async function bundleListener(file: string, isFunction = false): Promise<Bundle> {
  const { build } = await loadEsbuild()
  try {
    return readBundle(await build(buildOptions(file, isFunction ? wrapFunction(file) : undefined)))
  } catch (error) {
    const { errors } = error as { errors?: Message[] }
    if (!errors) throw error
    throw new UsageError(await formatProblems(errors))
  }
}

interface WatchHandlers {
  onBundle(bundle: Bundle): void
  onProblems(text: string): void
}

export async function watchListener(file: string, { onBundle, onProblems }: WatchHandlers): Promise<BuildContext> {
  const { context } = await loadEsbuild()
  const watcher = await context({
    ...buildOptions(file),
    plugins: [
      {
        name: 'report',
        setup: ({ onEnd }) =>
          onEnd(async (result) => {
            if (result.errors.length > 0) onProblems(await formatProblems(result.errors))
            else onBundle(readBundle(result))
          }),
      },
    ],
  })
  await watcher.watch()
  return watcher
}
