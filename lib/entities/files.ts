/** Stored files, listed by space. `objectKey` is where the bytes are in the bucket. */
import * as z from 'zod'
import { File } from '../../schemas/files.ts'
import { Id } from '../../schemas/ids.ts'
import { entity, type Stored } from '../table/entity.ts'

const Shape = File.extend({
  accountId: Id,
  objectKey: z.string(),
  createdBy: Id,
  /** What listeners filter by: the namespace of its space. */
  namespaces: z.array(z.string()).optional(),
  /** Where the bytes of a presigned upload arrive; they are moved when it is complete, so that its address is worth nothing then. */
  arrivalKey: z.string().optional(),
  /** Of the multipart upload under way. */
  uploadId: z.string().optional(),
})

const stored = entity({
  name: 'file',
  shape: Shape,
  by: { inSpace: { index: 'gsi1', of: ['spaceId'] }, inEnvironment: { index: 'gsi2', of: ['environmentId'] } },
})
export type StoredFile = Stored<typeof Shape>
export type NewFile = z.infer<typeof Shape>

export const Files = {
  ...stored,
  inSpace: (spaceId: string): Promise<StoredFile[]> => stored.list('inSpace', { spaceId }, { order: 'desc' }),
  inEnvironment: (environmentId: string): Promise<StoredFile[]> =>
    stored.list('inEnvironment', { environmentId }, { order: 'desc' }),
}

/** CF of the specification. */
export const fileContext = (file: NewFile) => ({
  environmentId: file.environmentId,
  spaceId: file.spaceId,
  fileId: file.id,
  ...(file.workbookId ? { workbookId: file.workbookId } : {}),
})
