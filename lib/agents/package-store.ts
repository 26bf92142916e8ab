/** Stores the packages of agent versions in the bucket, each named by its digest. */
import { getObject, putObject } from '../objects/store.ts'
import { type Bundle, unpackBundle } from './package.ts'
import type { Package } from './zip.ts'

export const getPackagePrefix = (agentId: string): string => `agents/${agentId}/`

export async function storePackage(agentId: string, { zip, sha256 }: Package): Promise<string> {
  const key = `${getPackagePrefix(agentId)}${Buffer.from(sha256, 'base64').toString('hex')}.zip`
  await putObject(key, zip, { contentType: 'application/zip' })
  return key
}

export const loadBundle = async (packageKey: string): Promise<Bundle> => unpackBundle(await getObject(packageKey))

export const buildExportKey = (agentId: string, exportId: string): string =>
  `${getPackagePrefix(agentId)}exports/${exportId}.tgz`
