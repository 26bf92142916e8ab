import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/prove/**'],
    globalSetup: ['test/support/global-setup.ts'],
    maxWorkers: '100%',
    // Tests of one file that run at the same time mostly wait for long polls.
    maxConcurrency: 8,
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // All that the tests left is looked through.
    teardownTimeout: 120_000,
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
  },
})
