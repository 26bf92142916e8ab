/** Builds the deployable functions into dist/ once per run, because it takes a minute. */
import { resolve } from 'node:path'
import { type Bundle, buildFunctions } from '../../scripts/build.ts'
import { runOnce } from './run-once.ts'

export const buildFunctionsOnce = (): Promise<Bundle[]> =>
  runOnce('built', () => buildFunctions(resolve(import.meta.dirname, '../..')))
