/** The first account of a local data folder, made once; what scripts need of it stands in `<data folder>/local.json`. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Local {
  /** Ends in /api. */
  baseUrl: string
  cloud: string
  accountId: string
  admin: { userId: string; email: string; password: string }
  environments: { id: string; name: string; isProd: boolean; secretKey: string; publishableKey: string }[]
}

const ADMIN = { email: 'admin@wharf.local', userName: 'Local Administrator', name: 'Local account' }

/** Seeds the running cloud unless its data folder is seeded; writes local.json with the addresses of this start. */
export async function seed(dataDir: string, addresses: { baseUrl: string; cloud: string }): Promise<Local> {
  const path = join(dataDir, 'local.json')
  const before = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Local) : undefined
  const local = before ? { ...before, ...addresses } : await firstAccount(addresses)
  writeFileSync(`${path}.new`, `${JSON.stringify(local, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
  return local
}

/** A crash between the account and local.json leaves an account nobody has the password of: its address is then given up. */
async function firstAccount(addresses: { baseUrl: string; cloud: string }): Promise<Local> {
  const [{ createAccount }, { randomText }, { Users }] = await Promise.all([
    import('../lib/auth/new-account.ts'),
    import('../lib/auth/secrets.ts'),
    import('../lib/entities/users.ts'),
  ])
  const password = randomText(20)
  const email = (await Users.byEmail(ADMIN.email)) ? ADMIN.email.replace('@', `+${Date.now()}@`) : ADMIN.email
  const account = await createAccount({ ...ADMIN, email, password })
  return {
    ...addresses,
    accountId: account.accountId,
    admin: { userId: account.userId, email, password },
    environments: account.environments.map(({ environment, secret, publishable }) => ({
      id: environment.id,
      name: environment.name,
      isProd: environment.isProd,
      secretKey: secret.rawKey!,
      publishableKey: publishable.rawKey!,
    })),
  }
}
