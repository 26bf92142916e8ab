import type { Text } from '../../../../schemas/message-format.ts'
import type { jobMessages } from '../../../../schemas/messages/jobs.ts'

export const jobs: Record<keyof typeof jobMessages, Text> = {
  'jobs.recordsDeleted': {
    zero: 'لم يُحذف أي سجل',
    one: 'حُذف سجل واحد',
    two: 'حُذف سجلان',
    few: 'حُذفت {count} سجلات',
    many: 'حُذف {count} سجلًا',
    other: 'حُذف {count} سجل',
  },
}
