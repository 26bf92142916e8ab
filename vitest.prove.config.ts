/** `npm run prove`: generated requests over the whole API, and what generators do not look for, for minutes: not in the suite of every day. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/prove/*.prove.ts', 'test/prove/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    fileParallelism: false,
    testTimeout: 3 * 3600_000,
    hookTimeout: 600_000,
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
  },
})
