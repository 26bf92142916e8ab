/** The cloud to deploy to: AWS_ENDPOINT_URL, or MiniStack, which enforces IAM. */
import type { Emulator } from '../support/emulators.ts'
import { startMiniStack } from '../support/ministack.ts'

export async function emulator(): Promise<Emulator> {
  const given = process.env.AWS_ENDPOINT_URL
  return given ? { endpoint: given, stop: async () => {} } : startMiniStack({ enforceRoles: true })
}
