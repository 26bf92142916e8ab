import type { Text } from '../../../../schemas/messages/format.ts'
import type { mutationMessages } from '../../../../schemas/messages/mutations.ts'

export const mutations: Record<keyof typeof mutationMessages, Text> = {
  'mutations.tooLong': 'عدد الأحرف {count}؛ الحد الأقصى {limit}',
  'mutations.notAFunction': 'ليست دالة JavaScript صالحة: {reason}',
  'mutations.notLoaded': 'تعذّر تحميل الدالة: {reason}',
  'mutations.failed': 'فشلت الدالة: {reason}',
  'mutations.failedAtRecord': 'فشلت الدالة عند السجل {record}: {reason}',
  'mutations.unreadableChanges': 'فشلت الدالة: لا يمكن قراءة تغييراتها.',
  'mutations.stopped': 'أُوقفت الدالة: {reason}.',
  'mutations.stoppedAtRecord': 'أُوقفت الدالة عند السجل {record}: {reason}.',
  'mutations.timedOut': {
    zero: 'لم تنتهِ خلال {count} ثانية',
    one: 'لم تنتهِ خلال ثانية واحدة',
    two: 'لم تنتهِ خلال ثانيتين',
    few: 'لم تنتهِ خلال {count} ثوانٍ',
    many: 'لم تنتهِ خلال {count} ثانية',
    other: 'لم تنتهِ خلال {count} ثانية',
  },
  'mutations.outOfTime': 'لم تنتهِ في الوقت المحدد',
  'mutations.memoryLimit': 'استخدمت أكثر من {limit} ميغابايت من الذاكرة',
  'mutations.outOfMemory': 'استخدمت ذاكرة أكثر من اللازم',
  'mutations.processDied': 'توقفت عمليتها، على الأرجح لأنها استخدمت ذاكرة أكثر من اللازم',
  'mutations.resultTooLarge': 'تتجاوز قيمها الحد الأقصى لاستجابة الاستدعاء الواحد ({limit} ميغابايت)',

  'mutations.errorAtLine': '{error} (السطر {line})',
  'mutations.noImports': '{error} (لا يمكن للدالة استيراد وحدات)',
  'mutations.noIntl': '{error} (لا يتوفر للدالة Intl ولا إعدادات محلية)',
  'mutations.typeError': 'TypeError: {reason}',
  'mutations.undescribedError': 'رمت قيمة لا يمكن وصفها',
  'mutations.noRecordReturned': 'يجب أن تعيد السجل',
  'mutations.valueType': 'يجب أن تكون قيمة {field} من نوع string أو number أو boolean أو null أو قائمة منها',
  'mutations.localeMethod': 'تعتمد {method} على إعدادات محلية لا تدعمها هذه الدوال',
  'mutations.notCallable': 'ليست دالة',
  'mutations.pendingPromise': 'تنتظر وعدًا (promise) لا يكتمل أبدًا: الشبكة والمؤقتات غير متاحة',
}
