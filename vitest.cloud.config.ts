/** Conformance suites of the AWS emulator only; `CLOUD=http://...` runs them against another endpoint. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/cloud/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
  },
})
