/**
 * The first account of a local data folder, made once; what scripts need of it and of the running cloud is in
 * `<data folder>/local.json`, which only its owner can read.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cloud } from './cloud/server.ts'

export interface Local {
  /** Ends in /api. */
  baseUrl: string
  cloud: string
  /** Variables by which AWS's tools and SDKs reach the running cloud; their credentials end with it. */
  aws: Record<string, string>
  accountId: string
  admin: { userId: string; email: string; password: string }
  environments: { id: string; name: string; isProd: boolean; secretKey: string; publishableKey: string }[]
}

const ADMIN = { email: 'admin@wharf.local', userName: 'Local Administrator', name: 'Local account' }

/** Seeds the running cloud unless its data folder is seeded; writes local.json with the addresses of this start. */
export async function seed(
  dataDir: string,
  { baseUrl, cloud }: { baseUrl: string; cloud: Pick<Cloud, 'endpoint' | 'access'> },
): Promise<Local> {
  const addresses = { baseUrl, cloud: cloud.endpoint, aws: cloud.access }
  const path = join(dataDir, 'local.json')
  const before = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Local) : undefined
  const local = before ? { ...before, ...addresses } : await firstAccount(addresses)
  writeFileSync(`${path}.new`, `${JSON.stringify(local, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
  return local
}

/** A crash between the account and local.json leaves an account nobody has the password of. */
async function firstAccount(addresses: Pick<Local, 'baseUrl' | 'cloud' | 'aws'>): Promise<Local> {
  const [{ createAccount }, { randomText }] = await Promise.all([
    import('../lib/auth/new-account.ts'),
    import('../lib/auth/secrets.ts'),
  ])
  const password = randomText(20)
  const { email } = ADMIN
  const account = await createAccount({ ...ADMIN, password })
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
