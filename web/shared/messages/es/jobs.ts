import type { Text } from '../../../../schemas/message-format.ts'
import type { jobMessages } from '../../../../schemas/messages/jobs.ts'

export const jobs: Record<keyof typeof jobMessages, Text> = {
  'jobs.recordsDeleted': { one: 'Se eliminó {count} registro', other: 'Se eliminaron {count} registros' },
}
