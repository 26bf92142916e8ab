/** Stored series of scheduled jobs: one per action, listed by owner, naming the current job. */
import * as z from 'zod'
import { JobSchedule } from '../../schemas/jobs/schedule.ts'
import { Id } from '../../schemas/kit/ids.ts'
import { getTableName } from '../table/client.ts'
import { entity, type Stored } from '../table/entity.ts'
import type { Write } from '../table/write.ts'

const Shape = z.object({
  id: z.string(),
  accountId: Id,
  ownerId: Id,
  schedule: JobSchedule,
  jobId: Id,
})

const stored = entity({ name: 'series', shape: Shape, by: { ofOwner: { index: 'gsi1', of: ['ownerId'] } } })
export type StoredSeries = Stored<typeof Shape>

export const Series = {
  ...stored,
  buildId: (ownerId: string, operation: string, column = ''): string => [ownerId, operation, column].join('#'),
  ofOwner: (ownerId: string): Promise<StoredSeries[]> => stored.list('ofOwner', { ownerId }),
  /** Fails for a series that has ended; bumping `rev` makes a concurrent end read again. */
  advance: (id: string, jobId: string): Write => ({
    Update: {
      TableName: getTableName(),
      Key: stored.buildKey(id),
      UpdateExpression: 'SET jobId = :job ADD rev :one',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':job': jobId, ':one': 1 },
    },
  }),
}
