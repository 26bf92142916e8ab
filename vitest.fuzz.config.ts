/** `npm run fuzz`: fuzz tests over the whole API. They take minutes and are not part of the daily suite. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/fuzz/*.fuzz.ts', 'test/fuzz/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    fileParallelism: false,
    testTimeout: 3 * 3600_000,
    hookTimeout: 600_000,
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
  },
})
