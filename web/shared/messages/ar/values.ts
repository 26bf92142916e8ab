import type { Text } from '../../../../schemas/messages/format.ts'
import type { valueMessages } from '../../../../schemas/messages/values.ts'

export const values: Record<keyof typeof valueMessages, Text> = {
  'values.original': 'كانت «{original}»',
  'values.severalMeanings': 'يمكن أن يعني هذا النص {alternatives}: أدخل إحدى هذه القيم',
  'values.otherUnit': 'تختلف وحدة هذا الرقم عن الأرقام الأخرى أو عن الحقل: أدخل رقمًا بدون وحدة',
  'values.fieldsOrSheet': 'مطلوب ما لم يُحدَّد sheetId، وغير مسموح به معه',
  'values.tooMany': 'تحتوي على {count} قيمة؛ يمكن أن يحتوي الطلب على {limit} كحد أقصى',
  'values.otherType': 'هي قراءة من النوع {reading}؛ والحقل من النوع {field}',
}
