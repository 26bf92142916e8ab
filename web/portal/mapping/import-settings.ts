/** How a mapping job treats records that are already in the sheet. Pure functions. */
import type { Job } from '../queries.ts'
import type { Target } from './plan.ts'

export const IMPORT_MODES = ['add', 'upsert', 'update', 'replace'] as const
export type ImportMode = (typeof IMPORT_MODES)[number]

export interface ImportSettings {
  mode: ImportMode
  keyFields: readonly string[]
}

interface Options {
  importMode?: ImportMode | null
  keyFields?: string[] | null
}

export const isKeyed = (mode: ImportMode): boolean => mode === 'update' || mode === 'upsert'

export const lacksKey = ({ mode, keyFields }: ImportSettings): boolean => isKeyed(mode) && keyFields.length === 0

/** The public SDK sends the options as input. */
export function readSettings({ config, input }: Pick<Job, 'config' | 'input'>): ImportSettings {
  const options = [config, input].find((values) => values && ('importMode' in values || 'keyFields' in values))
  const { importMode, keyFields } = (options ?? {}) as Options
  return { mode: importMode ?? 'add', keyFields: keyFields ?? [] }
}

export const toConfig = (config: Job['config'], { mode, keyFields }: ImportSettings) => ({
  ...config,
  importMode: mode,
  keyFields: isKeyed(mode) ? [...keyFields] : [],
})

export const isSame = (a: ImportSettings, b: ImportSettings): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Keeps the chosen key, without fields that are no longer filled. Otherwise a unique field identifies a record. */
export function withMode(
  settings: ImportSettings,
  mode: ImportMode,
  filled: ReadonlySet<string>,
  targets: readonly Target[],
): ImportSettings {
  const kept = settings.keyFields.filter((key) => filled.has(key))
  if (!isKeyed(mode) || kept.length > 0) return { mode, keyFields: kept }
  const unique = targets.find(
    ({ key, constraints }) => filled.has(key) && (constraints ?? []).some(({ type }) => type === 'unique'),
  )
  return { mode, keyFields: unique ? [unique.key] : [] }
}
