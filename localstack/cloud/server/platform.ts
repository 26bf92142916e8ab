/**
 * The stack's own functions, run from source in this process: each module is imported once, when it is first needed or
 * by `preload`. Knows nothing of routes and rules.
 */
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { LambdaContext } from '../lambda/platform.ts'
import type { StackFunction } from '../stack.ts'

type Handler = (event: unknown, context: LambdaContext) => Promise<unknown>

export interface PlatformFunction {
  invoke: Handler
  /** Imports the module; resolves to nothing, throws what the import throws. */
  load(): Promise<void>
}

const EXTENSIONS = ['.ts', '.mjs', '.js']

/** An import that failed is not tried again: like a deployed function, it fails until its code changes. */
export function platformFunction(definition: StackFunction): PlatformFunction {
  let imported: Promise<Handler> | undefined
  let handler: Handler | undefined
  const load = async () => {
    imported ??= importHandler(definition)
    handler = await imported
  }
  return {
    load,
    async invoke(event, context) {
      if (!handler) await load()
      return handler!(event, context)
    },
  }
}

/** Imports the functions one after another, leaving the process free to answer in between; faults are only told. */
export async function preload(functions: Iterable<PlatformFunction>, stopping: AbortSignal): Promise<void> {
  for (const each of functions) {
    await new Promise(setImmediate)
    if (stopping.aborted) return
    await each.load().catch((error: unknown) => console.error('A function cannot be loaded:', error))
  }
}

async function importHandler({ key, modulePath, exportName }: StackFunction): Promise<Handler> {
  const extension = EXTENSIONS.find((each) => existsSync(modulePath + each))
  if (!extension) throw new Error(`The function ${key} has no code: ${modulePath}.ts is missing.`)
  const module = (await import(pathToFileURL(modulePath + extension).href)) as Record<string, unknown>
  const handler = module[exportName]
  if (typeof handler !== 'function') throw new Error(`${modulePath}${extension} exports no function "${exportName}".`)
  return handler as Handler
}
