import type { Text } from '../../../../schemas/message-format.ts'
import type { requestMessages } from '../../../../schemas/messages/requests.ts'

export const requests: Record<keyof typeof requestMessages, Text> = {
  'requests.missingPermission': 'Dieses Token hat die Berechtigung {permission} nicht.',
}
