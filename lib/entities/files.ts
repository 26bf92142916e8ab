/** Stored files, listed by space. `objectKey` is the key of the bytes in the bucket. */
import * as z from 'zod'
import { File, UPLOAD_HOURS } from '../../schemas/files/shape.ts'
import { Id } from '../../schemas/kit/ids.ts'
import { HOUR_MS } from '../../schemas/kit/time.ts'
import { dueBefore, enqueueAt } from '../table/due-queue.ts'
import { entity, type Stored } from '../table/entity.ts'
import type { PutWrite, Write } from '../table/write.ts'
import { Namespaces } from './namespaces.ts'

const Shape = File.extend({
  accountId: Id,
  objectKey: z.string(),
  createdBy: Id,
  namespaces: Namespaces,
  /** Staging key of a presigned upload. The bytes are moved on completion, so that the upload URL becomes useless. */
  stagingKey: z.string().optional(),
  uploadId: z.string().optional(),
})

const stored = entity({
  name: 'file',
  shape: Shape,
  by: { inSpace: { index: 'gsi1', of: ['spaceId'] }, inEnvironment: { index: 'gsi2', of: ['environmentId'] } },
})
export type StoredFile = Stored<typeof Shape>
export type NewFile = z.infer<typeof Shape>

const QUEUE = 'upload'
const UPLOAD_TIMEOUT_MS = UPLOAD_HOURS * HOUR_MS

const withUploadDeadline = (write: PutWrite, { id, status, createdAt }: NewFile): Write =>
  status === 'partial'
    ? enqueueAt(write, QUEUE, id, new Date(Date.parse(createdAt) + UPLOAD_TIMEOUT_MS).toISOString())
    : write

export const Files = {
  ...stored,
  create: (file: NewFile): Write => withUploadDeadline(stored.create(file), file),
  replace: (before: StoredFile, after: NewFile): Write => withUploadDeadline(stored.replace(before, after), after),
  async *listAbandonedUploads(now: Date): AsyncGenerator<StoredFile[]> {
    for await (const ids of dueBefore(QUEUE, now))
      yield (await stored.getMany(ids)).filter(({ status }) => status === 'partial')
  },
  inSpace: (spaceId: string): Promise<StoredFile[]> => stored.list('inSpace', { spaceId }, { order: 'desc' }),
  countIn: (spaceId: string): Promise<number> => stored.count('inSpace', { spaceId }, 'expiredAt'),
  inEnvironment: (environmentId: string): Promise<StoredFile[]> =>
    stored.list('inEnvironment', { environmentId }, { order: 'desc' }),
}

/** The specification's CF. */
export const fileContext = (file: NewFile) => ({
  environmentId: file.environmentId,
  spaceId: file.spaceId,
  fileId: file.id,
  ...(file.workbookId ? { workbookId: file.workbookId } : {}),
})
