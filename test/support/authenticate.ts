/** Authenticates a bearer value as a request does. Import it only after `startAuthCloud()` has set the environment. */
import type { Principal } from '../../lib/auth/principal.ts'

export async function authenticate(value: string): Promise<Principal | undefined> {
  const { loadPrincipal, verifyBearer } = await import('../../lib/auth/principal.ts')
  const bearer = await verifyBearer(value)
  return bearer && loadPrincipal(bearer)
}
