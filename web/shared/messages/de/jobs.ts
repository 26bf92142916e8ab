import type { Text } from '../../../../schemas/message-format.ts'
import type { jobMessages } from '../../../../schemas/messages/jobs.ts'

export const jobs: Record<keyof typeof jobMessages, Text> = {
  'jobs.recordsDeleted': { one: '{count} Datensatz gelöscht', other: '{count} Datensätze gelöscht' },
}
