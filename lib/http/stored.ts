/** Replies that are an object of the bucket as it stands: by this answer where it is small, else by a redirect to it. */

import { DIRECT_BYTES } from '../../schemas/sizes.ts'
import { getObject, presignGet } from '../objects/store.ts'
import { Bytes } from './respond.ts'

const READ_SECONDS = 300

export interface StoredObject {
  objectKey: string
  /** As a browser saves it. */
  name: string
  mimetype: string
  size: number
}

export const headersOf = ({ name, mimetype }: StoredObject) => ({
  'content-type': mimetype,
  'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
})

/** The whole object. */
export const storedReply = async (object: StoredObject, more: Record<string, string> = {}): Promise<Bytes> =>
  object.size <= DIRECT_BYTES
    ? new Bytes(await getObject(object.objectKey), { ...headersOf(object), ...more })
    : redirectTo(object, more)

/** Larger objects are read straight from S3: base64 of them does not fit Lambda's 6 MB. */
export async function redirectTo(object: StoredObject, more: Record<string, string> = {}): Promise<Bytes> {
  const headers = headersOf(object)
  const location = await presignGet(object.objectKey, READ_SECONDS, {
    contentType: object.mimetype,
    contentDisposition: headers['content-disposition'],
  })
  return new Bytes(Buffer.alloc(0), { ...headers, ...more, location, 'cache-control': 'no-store' }, 302)
}
