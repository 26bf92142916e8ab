import type { Text } from '../../../../schemas/messages/format.ts'
import type { qualityMessages } from '../../../../schemas/messages/quality.ts'

export const quality: Record<keyof typeof qualityMessages, Text> = {
  'quality.notListField': 'ne peut être divisé que dans un champ qui contient des listes',
  'quality.otherFieldType': 'doit être le type du champ : {type}',
  'quality.replacedTwice': 'est remplacé par deux valeurs différentes',
}
