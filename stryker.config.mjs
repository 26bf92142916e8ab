/**
 * `npm run mutation`: changes the record engine's code in thousands of small ways and tells which the tests let pass.
 * `MUTATION_SAMPLE=2/10` makes a tenth of the changes, `MUTATE=lib/records/write/*.ts` those of some files.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  mutate: (process.env.MUTATE ?? 'lib/records/**/*.ts').split(','),
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts', related: false },
  plugins: ['@stryker-mutator/vitest-runner', './test/mutation/sample.mjs'],
  ignorers: ['sample'],
  coverageAnalysis: 'perTest',
  // What runs once when a module loads cannot be changed for one test.
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 10_000,
  thresholds: { high: 90, low: 80, break: 80 },
  reporters: ['json', 'clear-text', 'progress-append-only'],
  clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  allowConsoleColors: false,
  jsonReporter: { fileName: '.stryker/mutation.json' },
  tempDirName: '.stryker/tmp',
}
