/** Stored files, listed by space. `objectKey` is where the bytes are in the bucket. */
import * as z from 'zod'
import { File, UPLOAD_HOURS } from '../../schemas/files.ts'
import { Id } from '../../schemas/ids.ts'
import { due, dueAt } from '../table/due.ts'
import { entity, type Stored, type Write } from '../table/entity.ts'
import { Namespaces } from './namespaces.ts'

const Shape = File.extend({
  accountId: Id,
  objectKey: z.string(),
  createdBy: Id,
  /** What listeners filter by: the namespace of its space. */
  namespaces: Namespaces,
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

const QUEUE = 'upload'
const UPLOAD_MS = UPLOAD_HOURS * 3_600_000

/** The write of a file; in the queue as long as its upload is under way. */
const queued = (write: Write, { id, status, createdAt }: NewFile): Write =>
  status === 'partial' ? dueAt(write, QUEUE, id, new Date(Date.parse(createdAt) + UPLOAD_MS).toISOString()) : write

export const Files = {
  ...stored,
  create: (file: NewFile): Write => queued(stored.create(file), file),
  replace: (before: StoredFile, after: NewFile): Write => queued(stored.replace(before, after), after),
  /** Files whose upload was to be completed by `now`, some at a time. */
  async *unfinished(now: Date): AsyncGenerator<StoredFile[]> {
    for await (const ids of due(QUEUE, now))
      yield (await stored.getMany(ids)).filter(({ status }) => status === 'partial')
  },
  inSpace: (spaceId: string): Promise<StoredFile[]> => stored.list('inSpace', { spaceId }, { order: 'desc' }),
  /** Without those that are expired. */
  countIn: (spaceId: string): Promise<number> => stored.count('inSpace', { spaceId }, 'expiredAt'),
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
