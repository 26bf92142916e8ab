/** Files that functions read while they serve, by the function's key. In a package they have the same path as in the repository. */
import { ENGINE_PATH } from '../lib/jobs/mutation/limits.ts'
import { READ_PATHS } from '../lib/reference/files.ts'

export const READ_FILES: Readonly<Record<string, readonly string[]>> = {
  reference: READ_PATHS,
  'run-mutation': [ENGINE_PATH],
}
