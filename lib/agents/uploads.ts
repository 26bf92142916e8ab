/** Bundles too large for a request body: uploaded to the bucket first, then referenced by the deployment. */

import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { AgentBundle } from '../../schemas/agents/shape.ts'
import { BUNDLE_BYTES } from '../../schemas/kit/byte-limits.ts'
import { HOUR_SECONDS } from '../../schemas/kit/time.ts'
import { message } from '../../schemas/messages/index.ts'
import { invalidField, tooLarge } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { parseJson } from '../core/json.ts'
import { getObject, headObject, presignPut } from '../objects/store.ts'
import type { Bundle } from './package.ts'

const UPLOAD_SECONDS = HOUR_SECONDS
const GZIP = Buffer.from([0x1f, 0x8b])

/** The bucket deletes the upload after a day (serverless.yml). */
const buildUploadKey = (environmentId: string, uploadId: string): string =>
  `arriving-agents/${environmentId}/${uploadId}`

export async function createBundleUpload(environmentId: string, now: string) {
  const uploadId = newId('agentUpload')
  const url = await presignPut(buildUploadKey(environmentId, uploadId), UPLOAD_SECONDS)
  const expiresAt = new Date(Date.parse(now) + UPLOAD_SECONDS * 1000).toISOString()
  return { uploadId, method: 'PUT' as const, url, expiresAt }
}

/** @throws ApiError 400 when nothing was uploaded under this id or it is not a bundle, 413 when it is too large */
export async function loadUploadedBundle(environmentId: string, uploadId: string): Promise<Bundle> {
  const key = buildUploadKey(environmentId, uploadId)
  const upload = await headObject(key)
  if (!upload) throw invalidField('uploadId', message('agents.unknownUpload'))
  if (upload.size > BUNDLE_BYTES)
    throw tooLarge(message('agents.bundleTooLarge', { limit: BUNDLE_BYTES, count: upload.size }))
  const parsed = AgentBundle.safeParse(parseBundleJson(await inflateIfGzip(await getObject(key))))
  if (parsed.success) return parsed.data
  const { path, message: problem } = parsed.error.issues[0]!
  throw invalidField(
    'uploadId',
    path.length === 0
      ? message('agents.invalidBundle', { problem })
      : message('agents.invalidBundleProperty', { property: path.join('.'), problem }),
  )
}

async function inflateIfGzip(bytes: Buffer): Promise<Buffer> {
  if (!bytes.subarray(0, 2).equals(GZIP)) return bytes
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: BUNDLE_BYTES })
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(message('agents.bundleInflatesTooLarge', { limit: BUNDLE_BYTES }))
    throw invalidField('uploadId', message('agents.invalidGzip'))
  }
}

function parseBundleJson(bytes: Buffer): unknown {
  try {
    return parseJson(bytes)
  } catch {
    throw invalidField('uploadId', message('agents.invalidJson'))
  }
}
