import type { Text } from '../../../../schemas/messages/format.ts'
import type { qualityMessages } from '../../../../schemas/messages/quality.ts'

export const quality: Record<keyof typeof qualityMessages, Text> = {
  'quality.notListField': 'لا يمكن تقسيمه إلا في حقل يحتوي على قوائم',
  'quality.otherFieldType': 'يجب أن يكون نوع الحقل: {type}',
  'quality.replacedTwice': 'يُستبدل بقيمتين مختلفتين',
  'quality.tooManyValues': 'يحتوي الحقل {field} على أكثر من {count} نص مختلف، وهو الحد الأقصى للطريقة `distance`.',
  'quality.tooManyComparisons':
    'نصوص الحقل {field} متشابهة إلى حد أن الطريقة `distance` تحتاج إلى أكثر من {count} مقارنة. استخدم طريقة أخرى أو نصف قطر أصغر.',
  'quality.mergedTwice': 'يرد أكثر من مرة في عمليات الدمج هذه',
  'quality.notInGroup': 'يجب أن يكون سجلًا من عملية الدمج هذه',
  'quality.notReference': 'يجب أن يكون حقلًا مرجعيًا',
  'quality.filteredReference': 'له مرشّح، لذلك تحتاج السجلات الناقصة إلى أكثر من قيمة',
  'quality.noLinkedField': 'الورقة المرجعية أو حقلها غير موجود.',
}
