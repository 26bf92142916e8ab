import type { fileMessages } from '../../../../schemas/messages/files.ts'
import type { Text } from '../../../../schemas/messages/format.ts'

export const files: Record<keyof typeof fileMessages, Text> = {
  'files.reason': '{file}: {reason}',
  'files.internalError': 'حدث خطأ داخلي. حاول استخراج الملف مرة أخرى لاحقًا.',

  'files.nameHasSlashes': 'يجب ألا يحتوي على خطوط مائلة أو أحرف تحكم',
  'files.nameHasBidi': 'يجب ألا يحتوي على أحرف التحكم في اتجاه الكتابة',
  'files.invalidName': 'اسم الملف غير صالح: {problem}',
  'files.invalidPrefix': 'ينتج عنه اسم ملف غير صالح: {problem}',

  'files.environmentMismatch': 'لا يطابق بيئة المساحة',
  'files.spaceRequired': 'مطلوب لأن هذا الرمز المميز غير مقصور على بيئة واحدة',
  'files.workbookElsewhere': 'ليس مصنفًا في المساحة نفسها',
  'files.statusReasonNotAllowed': 'مسموح به فقط مع `status` `failed`',
  'files.stillUploading': 'لا يزال الملف قيد الرفع.',
  'files.stillReading': 'لا تزال قراءة الملف جارية. حاول مرة أخرى بعد انتهائها.',
  'files.size': 'حجم الملف {count} بايت.',

  'files.exceedsBytes': 'يتجاوز الحد الأقصى البالغ {count} بايت',
  'files.tooLarge': 'الحد الأقصى لحجم الملف {count} بايت.',
  'files.wrongUploadSize': 'الحجم المستلَم من الرفع {count} بايت بدلاً من {expected}.',
  'files.nothingUploaded': 'لم تُستلَم أي بيانات. أرسلها أولاً باستخدام PUT إلى عنوان URL الخاص بالرفع.',
  'files.partsRequired': 'يجب أن يتضمن كل جزء مع etag الخاص به',
  'files.invalidParts': 'الأجزاء لا تكوّن ملفًا صالحًا: {problem}',

  'files.formRequired': 'يجب أن يكون multipart/form-data',
  'files.fileRequired': 'مفقود',
  'files.severalFiles': 'يجب أن يكون ملفًا واحدًا بالضبط لكل طلب، وعدد الملفات المستلَمة {count}',
  'files.invalidForm': 'ليس نموذجًا صالحًا: {problem}',
  'files.tooManyFormFields': 'يتجاوز الحد الأقصى لعدد الحقول، وهو {count}',

  'files.requiredForAlgorithm': 'مطلوب للخوارزمية {algorithm}',
  'files.rowNotInData': 'الصف {row} غير موجود في البيانات',

  'files.previewTooLarge': 'لا تتوفر معاينة للمصنفات التي يتجاوز حجمها {count} بايت.',
  'files.cellTooLong':
    'الورقة {sheet}، الصف {row}: يتجاوز {column} الحد الأقصى لعدد الأحرف في خلية جدول البيانات، وهو {count}. صدّر بتنسيق CSV أو JSON.',
  'files.tooManyComments':
    'تحتوي الورقة {sheet} على رسائل في عدد من الخلايا يزيد على الحد {count}، أو على رسائل أطول مما يلزم. حدّد سجلات أقل، أو صدّر مع عمود للرسائل بدلًا من التعليقات.',

  'files.supportedTypes':
    '{explanation} الملفات المدعومة: CSV وTSV وPSV وTXT وXLSX وXLSM وXLSB وXLS وODS وPARQUET وARROW وFEATHER وJSON وJSONL وXML وHTML، وأرشيفات ZIP أو GZ منها.',
  'files.unsupportedType': 'الملفات من النوع {type} غير مدعومة.',
  'files.noExtension': 'لا يحتوي اسم الملف على امتداد يحدد نوعه. أضف الامتداد وارفع الملف مرة أخرى.',
  'files.appleNumbers': 'ملفات Apple Numbers ({type}) غير مدعومة. صدّر الجدول بتنسيق XLSX أو CSV وارفع الملف الناتج.',
  'files.document':
    'المستندات ({type}) غير مدعومة. انسخ الجدول إلى جدول بيانات واحفظه بتنسيق XLSX أو CSV وارفع الملف الناتج.',
  'files.otherArchive': 'الأرشيفات من النوع {type} غير مدعومة. أعد ضغط الملفات بتنسيق ZIP وارفع الملف الناتج.',
}
