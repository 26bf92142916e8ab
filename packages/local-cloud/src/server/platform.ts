/** The stack's functions, run from source in this process. Each module is imported once. */
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { LambdaContext } from '../lambda/platform.ts'
import type { StackFunction } from '../stack.ts'

export type ImportFunction = (definition: StackFunction) => Promise<Record<string, unknown>>
type Handler = (event: unknown, context: LambdaContext) => Promise<unknown>

export interface PlatformFunction {
  invoke: Handler
  load(): Promise<void>
}

const EXTENSIONS = ['.ts', '.mjs', '.js']

/** A failed import is not retried: like a deployed function, it fails until its code changes. */
export function createPlatformFunction(
  definition: StackFunction,
  importFunction: ImportFunction = importSource,
): PlatformFunction {
  let importing: Promise<Handler> | undefined
  let handler: Handler | undefined
  const load = async () => {
    importing ??= importFunction(definition).then((module) => getHandler(definition, module))
    handler = await importing
  }
  return {
    load,
    async invoke(event, context) {
      if (!handler) await load()
      return handler!(event, context)
    },
  }
}

/** One at a time, so that the process can serve requests in between; failures are only logged. */
export async function preload(functions: Iterable<PlatformFunction>, stopping: AbortSignal): Promise<void> {
  for (const unloaded of functions) {
    await new Promise(setImmediate)
    if (stopping.aborted) return
    await unloaded.load().catch((error: unknown) => console.error('A function could not be loaded:', error))
  }
}

async function importSource({ key, modulePath }: StackFunction): Promise<Record<string, unknown>> {
  const extension = EXTENSIONS.find((candidate) => existsSync(modulePath + candidate))
  if (!extension) throw new Error(`The function ${key} has no code: ${modulePath}.ts is missing.`)
  return import(pathToFileURL(modulePath + extension).href)
}

function getHandler({ modulePath, exportName }: StackFunction, module: Record<string, unknown>): Handler {
  const handler = module[exportName]
  if (typeof handler !== 'function') throw new Error(`${modulePath} does not export a function "${exportName}".`)
  return handler as Handler
}
