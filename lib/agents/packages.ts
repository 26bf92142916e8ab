/** The packages of an agent's versions, kept in the bucket under the agent, each named by its digest. */
import { getObject, putObject } from '../objects/store.ts'
import { type Bundle, bundleIn } from './package.ts'
import type { Package } from './zip.ts'

/** Everything of one agent begins so. */
export const packagesOf = (agentId: string): string => `agents/${agentId}/`

/** Stores the package; the same one again changes nothing. Answers where it is. */
export async function keepPackage(agentId: string, { zip, sha256 }: Package): Promise<string> {
  const key = `${packagesOf(agentId)}${Buffer.from(sha256, 'base64').toString('hex')}.zip`
  await putObject(key, zip, { contentType: 'application/zip' })
  return key
}

export const keptBundle = async (packageKey: string): Promise<Bundle> => bundleIn(await getObject(packageKey))

/** Where the archive of an export is. */
export const exportKeyOf = (agentId: string, exportId: string): string =>
  `${packagesOf(agentId)}exports/${exportId}.tgz`
