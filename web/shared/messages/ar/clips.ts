import type { clipMessages } from '../../../../schemas/messages/clips.ts'
import type { Text } from '../../../../schemas/messages/format.ts'

export const clips: Record<keyof typeof clipMessages, Text> = {
  'clips.merged': 'تم دمج المقتطف {clip} ولم يعد من الممكن تغييره.',
  'clips.unknownCollaborator': '{name} ليس بريدًا إلكترونيًا ولا معرّف مستخدم أو ضيف معروف',

  'clips.recordsRequired': 'مطلوب ما لم تحدد معلمات الاستعلام سجلات',
  'clips.recordsOrParameters': 'لا يمكن استخدامه مع معلمات تحدد سجلات',
  'clips.tooManyAdditions': 'يمكن إضافة سجلات إلى المقتطف {count} مرة كحد أقصى.',
  'clips.tooManyRanges': {
    zero: 'تقع السجلات المحددة في {count} نطاق صفوف منفصل، أي أكثر من الحد البالغ {limit}. انسخ سجلات أقل في كل مرة.',
    one: 'تقع السجلات المحددة في نطاق صفوف واحد منفصل، أي أكثر من الحد البالغ {limit}. انسخ سجلات أقل في كل مرة.',
    two: 'تقع السجلات المحددة في نطاقي صفوف منفصلين، أي أكثر من الحد البالغ {limit}. انسخ سجلات أقل في كل مرة.',
    few: 'تقع السجلات المحددة في {count} نطاقات صفوف منفصلة، أي أكثر من الحد البالغ {limit}. انسخ سجلات أقل في كل مرة.',
    many: 'تقع السجلات المحددة في {count} نطاق صفوف منفصلًا، أي أكثر من الحد البالغ {limit}. انسخ سجلات أقل في كل مرة.',
    other: 'تقع السجلات المحددة في {count} نطاق صفوف منفصل، أي أكثر من الحد البالغ {limit}. انسخ سجلات أقل في كل مرة.',
  },
  'clips.copiedConcurrently': 'نسخ طلب آخر بعض هذه السجلات في الوقت نفسه. أعد الطلب.',
  'clips.deletedConcurrently': 'حُذفت سجلات من المصدر في الوقت نفسه. أعد الطلب.',

  'clips.conflicts': {
    zero: 'لا توجد سجلات بها تعارضات.',
    one: 'يحتوي سجل واحد على تعارضات. حلّها أولًا باستخدام {endpoint}.',
    two: 'يحتوي سجلان على تعارضات. حلّها أولًا باستخدام {endpoint}.',
    few: 'تحتوي {count} سجلات على تعارضات. حلّها أولًا باستخدام {endpoint}.',
    many: 'يحتوي {count} سجلًا على تعارضات. حلّها أولًا باستخدام {endpoint}.',
    other: 'يحتوي {count} سجل على تعارضات. حلّها أولًا باستخدام {endpoint}.',
  },
  'clips.tooManyDecisions':
    'يمكن أن يحتوي المقتطف على {count} قرار كحد أقصى؛ وسيبلغ عددها في هذا المقتطف {current}. ادمج المقتطف أو حدّث حلول التعارضات.',
  'clips.recordNotDifferent': 'السجل {record} لا يختلف عن المصدر',
  'clips.fieldNotDifferent': '{field} في {record} لا يختلف عن المصدر',
  'clips.fieldChanged': 'تغيّر {field} في {record}. أعد تحميل حلول التعارضات.',
  'clips.invalidChoice': 'يجب أن يكون أحد ما يلي: {choices}',
}
