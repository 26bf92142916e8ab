import type { Text } from '../../../../schemas/messages/format.ts'
import type { valueMessages } from '../../../../schemas/messages/values.ts'

export const values: Record<keyof typeof valueMessages, Text> = {
  'values.original': 'كانت «{original}»',
  'values.severalMeanings': 'يمكن أن يعني هذا النص {alternatives}: أدخل إحدى هذه القيم',
  'values.otherUnit': 'تختلف وحدة هذا الرقم عن الأرقام الأخرى أو عن الحقل: أدخل رقمًا بدون وحدة',
  'values.notEmail': 'هذه القيمة ليست عنوان بريد إلكتروني: استخدم صيغة مثل ada@example.com',
  'values.notPhone': 'هذه القيمة ليست رقم هاتف أو أن بلده غير معروف: ابدأ بعلامة + ورمز البلد',
  'values.notUrl': 'هذه القيمة ليست عنوان ويب: استخدم صيغة مثل https://example.com',
  'values.notTime': 'هذه القيمة ليست وقتًا: استخدم صيغة مثل 14:30',
  'values.fieldsOrSheet': 'مطلوب ما لم يُحدَّد sheetId، وغير مسموح به معه',
  'values.tooMany': 'تحتوي على {count} قيمة؛ يمكن أن يحتوي الطلب على {limit} كحد أقصى',
  'values.otherType': 'هي قراءة من النوع {reading}؛ والحقل من النوع {field}',
}
