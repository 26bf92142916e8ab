/** The first account of a local data folder. Keys and addresses for scripts are in `<data folder>/local.json`. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cloud } from '../packages/local-cloud/src/server.ts'

export interface Local {
  baseUrl: string
  cloud: string
  aws: Record<string, string>
  accountId: string
  admin: { userId: string; email: string; password: string }
  environments: { id: string; name: string; isProd: boolean; secretKey: string; publishableKey: string }[]
}

const ADMIN = { email: 'admin@wharf.local', userName: 'Local Administrator', name: 'Local account' }

/** Idempotent; updates local.json with the addresses of this start. */
export async function seed(
  dataDir: string,
  { baseUrl, cloud }: { baseUrl: string; cloud: Pick<Cloud, 'endpoint' | 'access'> },
): Promise<Local> {
  const addresses = { baseUrl, cloud: cloud.endpoint, aws: cloud.access }
  const path = join(dataDir, 'local.json')
  const existing = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Local) : undefined
  const local = existing ? { ...existing, ...addresses } : await createFirstAccount(addresses)
  writeFileSync(`${path}.new`, `${JSON.stringify(local, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
  return local
}

/** If the process dies before local.json is written, the account's password is lost. */
async function createFirstAccount(addresses: Pick<Local, 'baseUrl' | 'cloud' | 'aws'>): Promise<Local> {
  const [{ createAccount }, { randomText }] = await Promise.all([
    import('../lib/auth/new-account.ts'),
    import('../lib/core/crypto.ts'),
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
