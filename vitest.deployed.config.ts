/** Tests against a deployment, started by test/deployed/run.ts. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/deployed/*.spec.ts', 'test/e2e/{sdk,sdk-records,sdk-jobs,sample-agent,default-route}.test.ts'],
    globalSetup: ['test/deployed/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
  },
})
