/** Bundles too large for a request: put to the bucket first, then named by the deployment. */

import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { AgentBundle } from '../../schemas/agent.ts'
import { BUNDLE_BYTES } from '../../schemas/sizes.ts'
import { invalidField, tooLarge } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { parseJson } from '../core/json.ts'
import { getObject, headObject, presignPut } from '../objects/store.ts'
import type { Bundle } from './package.ts'

/** An upload's address works this long. */
const UPLOAD_SECONDS = 3600
const GZIP = Buffer.from([0x1f, 0x8b])

/** Of one environment; the bucket removes it after a day (serverless.yml). */
const keyOf = (environmentId: string, uploadId: string): string => `arriving-agents/${environmentId}/${uploadId}`

export async function beginUpload(environmentId: string, now: string) {
  const uploadId = newId('agentUpload')
  const url = await presignPut(keyOf(environmentId, uploadId), UPLOAD_SECONDS)
  const expiresAt = new Date(Date.parse(now) + UPLOAD_SECONDS * 1000).toISOString()
  return { uploadId, method: 'PUT' as const, url, expiresAt }
}

/** @throws 400 when nothing was uploaded under this id or it is no bundle, 413 when it is too large */
export async function uploadedBundle(environmentId: string, uploadId: string): Promise<Bundle> {
  const key = keyOf(environmentId, uploadId)
  const arrived = await headObject(key)
  if (!arrived) throw invalidField('uploadId', 'names no upload of this environment whose bytes have arrived')
  if (arrived.size > BUNDLE_BYTES)
    throw tooLarge(`A bundle may have ${BUNDLE_BYTES} bytes, this one has ${arrived.size}.`)
  const parsed = AgentBundle.safeParse(asJson(await inflated(await getObject(key))))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw invalidField('uploadId', `holds no bundle: ${issue!.path.join('.') || 'it'} ${issue!.message}`)
}

async function inflated(bytes: Buffer): Promise<Buffer> {
  if (!bytes.subarray(0, 2).equals(GZIP)) return bytes
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: BUNDLE_BYTES })
  } catch (error) {
    if (error instanceof RangeError)
      throw tooLarge(`A bundle may have ${BUNDLE_BYTES} bytes, this one inflates to more.`)
    throw invalidField('uploadId', `holds no bundle: it is not valid gzip`)
  }
}

function asJson(bytes: Buffer): unknown {
  try {
    return parseJson(bytes)
  } catch {
    throw invalidField('uploadId', 'holds no bundle: it is not JSON')
  }
}
