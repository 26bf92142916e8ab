/**
 * The tests that mutants of the record engine are shown to: in one process, without what takes long (many writers, long
 * histories, memory). The same random cases each time, so that a mutant is not found by luck.
 */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/unit/records/*.test.ts'],
    exclude: ['test/unit/records/{model,concurrency,faults,stream-memory,collect-orphans}.test.ts'],
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
