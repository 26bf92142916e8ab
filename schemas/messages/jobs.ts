/** Messages about jobs, mappings, agents and data clips, including the info a finished job shows. */
import type { Text } from '../message-format.ts'

export const jobMessages = {
  'jobs.recordsDeleted': { one: 'Deleted {count} record', other: 'Deleted {count} records' },
} as const satisfies Record<string, Text>
