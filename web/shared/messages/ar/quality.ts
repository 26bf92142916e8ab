import type { Text } from '../../../../schemas/messages/format.ts'
import type { qualityMessages } from '../../../../schemas/messages/quality.ts'

export const quality: Record<keyof typeof qualityMessages, Text> = {
  'quality.notListField': 'لا يمكن تقسيمه إلا في حقل يحتوي على قوائم',
  'quality.otherFieldType': 'يجب أن يكون نوع الحقل: {type}',
  'quality.replacedTwice': 'يُستبدل بقيمتين مختلفتين',
}
