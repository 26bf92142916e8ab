/** How mutants are shown to tests: in one process, the same random cases each time, so that none is found by luck. */
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
    // Each file starts a cloud of its own; until then clients need some address.
    env: { AWS_ENDPOINT_URL: 'http://127.0.0.1:9', AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
  },
})
