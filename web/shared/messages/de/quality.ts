import type { Text } from '../../../../schemas/messages/format.ts'
import type { qualityMessages } from '../../../../schemas/messages/quality.ts'

export const quality: Record<keyof typeof qualityMessages, Text> = {
  'quality.notListField': 'kann nur in einem Feld aufgeteilt werden, das Listen enthält',
  'quality.otherFieldType': 'muss der Typ des Feldes sein: {type}',
  'quality.replacedTwice': 'wird durch zwei verschiedene Werte ersetzt',
}
