import type { Text } from '../../../../schemas/message-format.ts'
import type { recordMessages } from '../../../../schemas/messages/records.ts'

export const records: Record<keyof typeof recordMessages, Text> = {
  'records.required': 'Ce champ est obligatoire',
}
