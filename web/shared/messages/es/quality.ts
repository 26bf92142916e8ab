import type { Text } from '../../../../schemas/messages/format.ts'
import type { qualityMessages } from '../../../../schemas/messages/quality.ts'

export const quality: Record<keyof typeof qualityMessages, Text> = {
  'quality.notListField': 'solo se puede dividir en un campo que contiene listas',
  'quality.otherFieldType': 'debe ser el tipo del campo: {type}',
  'quality.replacedTwice': 'se sustituye por dos valores distintos',
}
