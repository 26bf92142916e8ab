import { INLINE_RESPONSE_BYTES } from '../../schemas/kit/byte-limits.ts'
import { getObject, presignGet } from '../objects/store.ts'
import { Bytes } from './response.ts'

const LINK_SECONDS = 300

export interface StoredObject {
  objectKey: string
  name: string
  mimetype: string
  size: number
}

export const getObjectHeaders = ({ name, mimetype }: StoredObject) => ({
  'content-type': mimetype,
  'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
})

export const createObjectReply = async (
  object: StoredObject,
  extraHeaders: Record<string, string> = {},
): Promise<Bytes> =>
  object.size <= INLINE_RESPONSE_BYTES
    ? new Bytes(await getObject(object.objectKey), { ...getObjectHeaders(object), ...extraHeaders })
    : redirectToObject(object, extraHeaders)

/** Larger objects are read from S3: in base64 they exceed Lambda's 6 MB. */
export async function redirectToObject(
  object: StoredObject,
  extraHeaders: Record<string, string> = {},
): Promise<Bytes> {
  const headers = getObjectHeaders(object)
  const location = await presignGet(object.objectKey, LINK_SECONDS, {
    contentType: object.mimetype,
    contentDisposition: headers['content-disposition'],
  })
  return new Bytes(Buffer.alloc(0), { ...headers, ...extraHeaders, location, 'cache-control': 'no-store' }, 302)
}
