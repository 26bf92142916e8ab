/**
 * All tests. A file's path tells the command that runs it:
 * - `npm test`: test/unit, test/contract, test/api and test/security, with a tenth of the runs of `*.scaled.test.ts`
 * - `npm run test:full`: test/e2e, test/published, packages/<name>/test and every `*.full.test.ts`
 * - `npm run test:nightly`: twenty times the runs of `*.scaled.test.ts`, and more
 * - `npm run test:web`, `npm run test:deployed` and `npm run test:nightly -- fuzz`: the folder of that name
 */
import { availableParallelism } from 'node:os'
import { defaultExclude, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { threadCodeInTests } from './scripts/bundled/thread-code.mjs'
import { ByProject } from './test/support/by-project.ts'

const MINUTE_MS = 60_000
const CORES = availableParallelism()
const FULL = '**/*.full.test.ts'
const PLATFORM = 'packages/local-cloud/test/**/*.test.ts'

type Options = NonNullable<TestProjectInlineConfiguration['test']>

const project = (name: string, { env, ...options }: Options): TestProjectInlineConfiguration => ({
  plugins: [threadCodeInTests],
  test: {
    name,
    // One more than cores, because some tests mostly wait.
    maxWorkers: CORES + 1,
    maxConcurrency: 8,
    testTimeout: MINUTE_MS / 2,
    hookTimeout: MINUTE_MS,
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true', ...env },
    ...options,
  },
})

const shared: Options = { pool: 'threads', isolate: false, setupFiles: ['test/support/fresh-file.ts'] }
const platforms: Options = { globalSetup: ['test/support/platforms.ts'] }
const alone: Options = { fileParallelism: false, maxWorkers: 1 }

const daily = [
  project('api', {
    ...shared,
    ...platforms,
    include: ['test/{api,contract,security}/**/*.test.ts'],
    exclude: [...defaultExclude, FULL],
  }),
  project('unit', {
    ...shared,
    include: ['test/unit/**/*.test.ts'],
    exclude: [...defaultExclude, FULL],
    env: {
      AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
      TABLE_NAME: 'none',
      BUCKET_NAME: 'none',
      BUS_NAME: 'none',
      BASE_URL: 'http://127.0.0.1/api',
      WHARF_SECRET: 'a secret of thirty-two characters or more',
    },
  }),
]

const full = [
  project('full', {
    ...platforms,
    include: [
      ...['test/e2e/**/*.test.ts', FULL, 'packages/*/test/**/*.test.ts'],
      ...(process.env.TEST_RUNS ? ['test/**/*.scaled.test.ts'] : []),
    ],
    exclude: [...defaultExclude, PLATFORM],
    env: { TEST_RUNS: process.env.TEST_RUNS ?? '1' },
  }),
  project('published', {
    include: ['test/published/*.test.ts'],
    globalSetup: ['test/published/global-setup.ts', 'test/support/platforms.ts'],
    testTimeout: 2 * MINUTE_MS,
  }),
  project('local-cloud', { include: [PLATFORM] }),
]

const web = project('web', {
  pool: 'forks',
  isolate: false,
  include: ['test/web/**/*.spec.ts'],
  globalSetup: ['test/web/global-setup.ts'],
  testTimeout: 2 * MINUTE_MS,
  hookTimeout: 1.5 * MINUTE_MS,
  env: { WRITE_SCREENS: process.argv.includes('screens') ? 'yes' : '' },
})

const fuzz = project('fuzz', {
  ...alone,
  ...platforms,
  include: ['test/fuzz/*.{fuzz,test}.ts'],
  testTimeout: 180 * MINUTE_MS,
  hookTimeout: 10 * MINUTE_MS,
})

/** Started by test/deployed/run.ts, which sets `WHARF_DEPLOYED`. */
const deployed = project('deployed', {
  ...alone,
  include: ['test/deployed/*.spec.ts', 'test/e2e/{sdk,sdk-records,sdk-jobs,sample-agent,default-route}.test.ts'],
  globalSetup: ['test/deployed/global-setup.ts'],
  testTimeout: MINUTE_MS,
  hookTimeout: 2 * MINUTE_MS,
})

/** Started by Stryker, which cannot select a project: test/mutation/stryker.config.mjs sets `MUTATION_AREA`. */
function createMutationProject({ tests, without }: { tests: string[]; without: string[] }) {
  return project('mutation', {
    ...shared,
    ...alone,
    include: tests,
    exclude: without,
    setupFiles: ['test/mutation/fixed-seed.ts', 'test/support/fresh-file.ts'],
    env: { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' },
  })
}

function selectProjects(): TestProjectInlineConfiguration[] {
  const { MUTATION_AREA } = process.env
  if (MUTATION_AREA) return [createMutationProject(JSON.parse(MUTATION_AREA))]
  if (process.env.WHARF_DEPLOYED) return [deployed]
  return [...daily, ...full, web, fuzz]
}

export default defineConfig({
  test: {
    projects: selectProjects(),
    sequence: { sequencer: ByProject },
    // The teardown scans everything that the tests left behind.
    teardownTimeout: 2 * MINUTE_MS,
  },
})
