import { join } from 'node:path'
import { area, mutated } from './areas.mjs'

process.env.MUTATION_AREA = JSON.stringify(area)

/**
 * `npm run test:nightly -- mutation` makes thousands of small changes to the record engine and reports those that no test detects.
 * `MUTATE='lib/auth/**\/*.ts'` changes other files instead; `MUTATION_SAMPLE=2/10` makes a tenth of the changes.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  mutate: mutated,
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.config.ts', related: false },
  plugins: ['@stryker-mutator/vitest-runner', join(import.meta.dirname, 'sample.mjs')],
  ignorers: ['sample'],
  coverageAnalysis: 'perTest',
  // Code that runs once per module load cannot be mutated for a single test.
  ignoreStatic: true,
  concurrency: 2,
  // Timeouts are the only sign of an endless loop, so allow for a slow machine.
  timeoutMS: 30_000,
  timeoutFactor: 4,
  thresholds: { high: 90, low: 80, break: null },
  reporters: ['json', 'clear-text', 'progress-append-only'],
  clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  allowConsoleColors: false,
  jsonReporter: { fileName: '.stryker/mutation.json' },
  tempDirName: '.stryker/tmp',
}
