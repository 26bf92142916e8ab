/** Loads the importer's script from the platform, so that it always fits the platform's version. */
import type { ImporterModule } from './types.ts'

const modules = new Map<string, Promise<ImporterModule>>()

/** A failed load is tried again by the next call. */
export function loadImporter(url: string): Promise<ImporterModule> {
  const address = new URL('/wharf-importer.js', url).href
  const loading =
    modules.get(address) ?? import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ address)
  modules.set(address, loading)
  loading.catch(() => modules.delete(address))
  return loading
}
