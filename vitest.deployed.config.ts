/** Tests that run against a deployment, see test/deployed/run.ts, which starts them. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/deployed/*.spec.ts', 'test/e2e/{sdk,sdk-records,sdk-jobs,sample-agent,default-route}.test.ts'],
    globalSetup: ['test/deployed/global-setup.ts'],
    // Each function starts a process at its first call.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
  },
})
