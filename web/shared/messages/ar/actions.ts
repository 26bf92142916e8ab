import type { actionMessages } from '../../../../schemas/messages/actions.ts'
import type { Text } from '../../../../schemas/messages/format.ts'

export const actions: Record<keyof typeof actionMessages, Text> = {
  'actions.tooLarge': 'يجب ألا يتجاوز {limit} بايت بصيغة JSON',
  'actions.inputRequired': '{field} مطلوب',
  'actions.inputText': 'يجب أن يكون {field} نصًا',
  'actions.inputNumber': 'يجب أن يكون {field} رقمًا',
  'actions.inputBoolean': 'يجب أن يكون {field} true أو false',
  'actions.inputDate': 'يجب أن يكون {field} تاريخًا',
  'actions.inputList': 'يجب أن يكون {field} قائمة',
  'actions.inputOption': 'يجب أن يكون {field} إحدى القيم: {options}',
  'actions.inputOptions': 'يجب أن تكون قيم {field} من بين: {options}',

  'actions.cannotRun': 'لا يمكن تنفيذ {action}: {reason}.',
  'actions.noRecords': 'لا توجد سجلات',
  'actions.noSelection': 'لم تُحدَّد أي سجلات (عيِّن subject.query)',
  'actions.emptySelection': 'التحديد فارغ',
  'actions.recordsWithErrors': {
    zero: 'لا سجلات بها أخطاء',
    one: 'سجل واحد به أخطاء',
    two: 'سجلان بهما أخطاء',
    few: '{count} سجلات بها أخطاء',
    many: '{count} سجلًا به أخطاء',
    other: '{count} سجل به أخطاء',
  },
  'actions.noColumn': 'لم يُحدَّد أي عمود (عيِّن subject.params.columnKey)',
  'actions.unknownColumn': 'لا يوجد عمود {column}',
  'actions.readOnlyColumn': 'العمود {column} للقراءة فقط',
}
