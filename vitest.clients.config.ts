/** Published clients as they are, installed in a folder of their own (test/clients): `npm run test:clients` installs and runs them. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/e2e/clients.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 60_000,
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
  },
})
