/** Test configuration for mutants: one process and fixed random seeds, so no mutant is killed by chance. */
import { defineConfig } from 'vitest/config'
import { area } from './test/mutation/areas.mjs'

export default defineConfig({
  test: {
    include: area.tests,
    exclude: area.without,
    setupFiles: ['test/mutation/fresh-modules.ts'],
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    env: { AWS_ENDPOINT_URL: 'http://127.0.0.1:9', AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
  },
})
