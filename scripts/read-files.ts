/** Files that functions read at run time, by function key. Packages use the same paths as the repository. */
import { ENGINE_PATH } from '../lib/jobs/mutation/limits.ts'
import { READ_PATHS } from '../lib/reference/files.ts'

export const READ_FILES: Readonly<Record<string, readonly string[]>> = {
  reference: READ_PATHS,
  'run-mutation': [ENGINE_PATH],
}
