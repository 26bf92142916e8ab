/** Files that functions read at run time, by function key. Packages use the same paths as the repository. */
import { ENGINE_PATH } from '../lib/jobs/mutation/limits.ts'
import { LEXICON_PATHS } from '../lib/mapping/lexicon/lexicon.ts'
import { READ_PATHS } from '../lib/reference/files.ts'

export const READ_FILES: Readonly<Record<string, readonly string[]>> = {
  reference: READ_PATHS,
  'run-mutation': [ENGINE_PATH],
}

const READ_BY_MODULE: Readonly<Record<string, readonly string[]>> = { 'lib/mapping/lexicon/lexicon.ts': LEXICON_PATHS }

export const listReadFiles = (key: string, sources: readonly string[]): readonly string[] => [
  ...(READ_FILES[key] ?? []),
  ...Object.entries(READ_BY_MODULE).flatMap(([module, paths]) => (sources.includes(module) ? paths : [])),
]

export const listAllReadFiles = (): readonly string[] => [
  ...Object.values(READ_FILES).flat(),
  ...Object.values(READ_BY_MODULE).flat(),
]
