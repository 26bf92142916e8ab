/** Browser tests of the web app, with headless Chromium at /usr/bin/chromium or $CHROMIUM. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/web/*.spec.ts'],
    globalSetup: ['test/web/global-setup.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 90_000,
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
  },
})
