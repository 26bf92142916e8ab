/** The series of jobs of actions with a schedule: one an action, listed by what carries it, naming the job to come. */
import * as z from 'zod'
import { Id } from '../../schemas/ids.ts'
import { JobSchedule } from '../../schemas/schedule.ts'
import { tableName } from '../table/client.ts'
import { entity, type Stored, type Write } from '../table/entity.ts'

const Shape = z.object({
  id: z.string(),
  accountId: Id,
  /** The action of its own, or what has the action in its configuration. */
  ownerId: Id,
  schedule: JobSchedule,
  /** The job of the series that is scheduled, or was the last. */
  jobId: Id,
})

const stored = entity({ name: 'series', shape: Shape, by: { ofOwner: { index: 'gsi1', of: ['ownerId'] } } })
export type StoredSeries = Stored<typeof Shape>

export const Series = {
  ...stored,
  /** Of an operation, on a column where it is one of a field. */
  idOf: (ownerId: string, operation: string, column = ''): string => [ownerId, operation, column].join('#'),
  ofOwner: (ownerId: string): Promise<StoredSeries[]> => stored.list('ofOwner', { ownerId }),
  /** The next job follows: whoever ends the series meanwhile reads again. Fails for a series that has ended. */
  moveOn: (id: string, jobId: string): Write => ({
    Update: {
      TableName: tableName(),
      Key: { pk: `series#${id}`, sk: '-' },
      UpdateExpression: 'SET jobId = :job ADD rev :one',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':job': jobId, ':one': 1 },
    },
  }),
}
