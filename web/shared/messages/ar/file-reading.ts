import type { fileReadingMessages } from '../../../../schemas/messages/file-reading.ts'
import type { Text } from '../../../../schemas/messages/format.ts'

export const fileReading: Record<keyof typeof fileReadingMessages, Text> = {
  'files.empty': 'الملف فارغ.',
  'files.blank': 'الملف فارغ أو يحتوي على مسافات فقط.',
  'files.notAWorkbook': 'الملف ليس مصنفًا صالحًا.',
  'files.legacyOrProtected':
    'الملف مصنف Excel بالتنسيق القديم (XLS) أو محمي بكلمة مرور. احفظه بتنسيق XLSX بدون كلمة مرور وحاول مرة أخرى.',

  'files.parquetDamaged': 'ملف Parquet تالف: {problem}.',
  'files.parquetEncrypted': 'ملف Parquet مشفر. اكتبه دون تشفير وارفع الملف الناتج.',
  'files.notParquet': 'الملف ليس ملف Parquet صالحًا.',
  'files.parquetFooterTooLarge':
    'حجم تذييل ملف Parquet هو {count} بايت، والحد الأقصى {maximum}. اكتب مجموعات صفوف أقل.',
  'files.parquetBufferTooLarge':
    'تتطلب قراءة ملف Parquet أكثر من {count} بايت من الذاكرة. اكتبه بصفحات أو مجموعات صفوف أصغر.',
  'files.parquetType': 'للعمود {column} نوع أو ترميز أو ضغط غير مدعوم: {type}.',
  'files.parquetValue': 'الصف {row}: يحتوي {column} على قيمة ليست نصًا، مثل البيانات الثنائية.',
  'files.parquetTooDeep': 'يتجاوز العمود {column} حد التداخل البالغ {count} من المستويات.',
  'files.tooManyTables': 'يتجاوز عدد الجداول في الملف الحد الأقصى للملف الواحد، وهو {count}.',
  'files.tooManyRows': 'يتجاوز عدد الصفوف في الجدول الحد الأقصى للورقة، وهو {count}.',
  'files.tooManyColumns': 'عدد أعمدة الجدول {count}، والحد الأقصى للورقة {maximum}.',
  'files.rowTooWide': 'عدد أعمدة الصف {row} هو {count}، والحد الأقصى للورقة {maximum}.',
  'files.rowTooLarge': 'يتجاوز حجم أحد الصفوف {count} بايت.',
  'files.headerRowTooFar': {
    zero: 'لا يمكن أن يكون الصف {row} صف العناوين لأنه ليس ضمن أول {count} صف.',
    one: 'لا يمكن أن يكون الصف {row} صف العناوين لأنه ليس ضمن أول صف.',
    two: 'لا يمكن أن يكون الصف {row} صف العناوين لأنه ليس ضمن أول صفين.',
    few: 'لا يمكن أن يكون الصف {row} صف العناوين لأنه ليس ضمن أول {count} صفوف.',
    many: 'لا يمكن أن يكون الصف {row} صف العناوين لأنه ليس ضمن أول {count} صفًا.',
    other: 'لا يمكن أن يكون الصف {row} صف العناوين لأنه ليس ضمن أول {count} صف.',
  },
  'files.headerLinesTooMany': {
    zero: 'تنتهي الترويسة في الصف {row}، لذلك لا يمكن أن تتكون من {count} سطر.',
    one: 'تنتهي الترويسة في الصف {row}، لذلك لا يمكن أن تتكون من {count} سطر.',
    two: 'تنتهي الترويسة في الصف {row}، لذلك لا يمكن أن تتكون من {count} سطرين.',
    few: 'تنتهي الترويسة في الصف {row}، لذلك لا يمكن أن تتكون من {count} أسطر.',
    many: 'تنتهي الترويسة في الصف {row}، لذلك لا يمكن أن تتكون من {count} سطرًا.',
    other: 'تنتهي الترويسة في الصف {row}، لذلك لا يمكن أن تتكون من {count} سطر.',
  },
  'files.headerRowEmpty': 'لا يمكن أن يكون الصف {row} من الورقة {sheet} صف العناوين لأنه فارغ.',

  'files.notText': 'الملف ليس نصًا: يوجد محتوى ثنائي عند البايت {byte}.',
  'files.binary': 'الملف هو {kind} وليس نصًا مفصولاً بمحددات.',
  'files.kindZip': 'أرشيف ZIP أو مصنف Excel',
  'files.kindLegacyExcel': 'مصنف Excel بالتنسيق القديم',
  'files.kindPdf': 'مستند PDF',
  'files.kindGzip': 'أرشيف gzip',
  'files.kindPng': 'صورة PNG',
  'files.kindJpeg': 'صورة JPEG',
  'files.kindGif': 'صورة GIF',
  'files.kindProgram': 'برنامج',
  'files.kindParquet': 'ملف Parquet',
  'files.kindSqlite': 'قاعدة بيانات SQLite',
  'files.rowHasNul': 'يحتوي الصف {row} على حرف NUL عند البايت {byte}. الملف تالف أو ليس ملفًا نصيًا.',
  'files.rowDoesNotEnd': {
    zero: 'لا ينتهي الصف {row} خلال {count} حرف.',
    one: 'لا ينتهي الصف {row} خلال حرف واحد.',
    two: 'لا ينتهي الصف {row} خلال حرفين.',
    few: 'لا ينتهي الصف {row} خلال {count} أحرف.',
    many: 'لا ينتهي الصف {row} خلال {count} حرفًا.',
    other: 'لا ينتهي الصف {row} خلال {count} حرف.',
  },
  'files.undecodableRow':
    'في الصف {row}، البايت {byte} غير صالح في ترميز {encoding}. احفظ الملف بترميز UTF-8 وحاول مرة أخرى.',
  'files.undecodableLine':
    'في السطر {line}، البايت {byte} غير صالح في ترميز {encoding}. احفظ الملف بترميز UTF-8 وحاول مرة أخرى.',
  'files.undecodableRecord':
    'بعد السجل {record}، البايت {byte} غير صالح في ترميز {encoding}. احفظ الملف بترميز UTF-8 وحاول مرة أخرى.',

  'files.tooManyWidths': 'يتجاوز الحد الأقصى لعدد الأعمدة في الورقة، وهو {count}',
  'files.lineTooLong': 'يتجاوز عدد أحرف السطر {line} الحد الأقصى، وهو {count}.',
  'files.lineTooWide': 'السطر {line} أطول من الأعمدة المحددة ويستمر بالنص {text}.',

  'files.noRecords': 'لا يحتوي الملف على سجلات.',
  'files.jsonEndsEarly': 'ينتهي JSON داخل السجل {record}.',
  'files.invalidJson': 'JSON غير صالح بعد السجل {record}، عند البايت {byte}: {problem}.',
  'files.recordValueTooLong': 'يحتوي السجل {record} على قيمة يتجاوز عدد أحرفها {count}.',
  'files.recordListTooLong': 'يحتوي السجل {record} على قائمة يتجاوز عدد أحرفها {count}.',
  'files.recordTooDeep': 'يتجاوز السجل {record} الحد الأقصى لمستويات التداخل، وهو {count}.',
  'files.tooManyValues':
    'يتجاوز عدد القيم في الكائن الخارجي {count}. المتوقع قائمة سجلات أو كائن يحتوي على مثل هذه القوائم.',
  'files.tooManyRecordColumns': 'مع السجل {record} يصبح عدد الأعمدة {count}، والحد الأقصى للورقة {maximum}.',

  'files.invalidXml': 'XML غير صالح في السطر {line}، العمود {column}: {problem}',
  'files.unknownEncoding': 'يحدد XML ترميزًا غير معروف: {encoding}.',
  'files.xmlDocumentType':
    'يحتوي السطر {line} على نوع مستند (DOCTYPE)، وهو غير مدعوم لأنه قد يشير إلى كيانات وملفات خارجية.',
  'files.xmlTextTooLong': 'يحتوي السطر {line} على وسم أو نص يتجاوز عدد أحرفه {count}.',
  'files.xmlTooDeep': 'يحتوي السطر {line} على عناصر يتجاوز عدد مستويات تداخلها {count}.',
  'files.elementTooDeep': 'يتجاوز العنصر {element} الحد الأقصى لمستويات التداخل، وهو {count}.',
  'files.tooManyElements': 'يتجاوز عدد أنواع العناصر في XML الحد الأقصى، وهو {count}.',
  'files.xmlRecordTooLong': 'يوجد في {element} سجل يتجاوز عدد أحرفه {count}.',

  'files.sheetReason': 'الورقة {sheet}: {reason}',
  'files.pageWithoutTable': 'لا تحتوي الصفحة على أي جدول.',
  'files.pageTooLarge': 'يمكن أن يبلغ حجم صفحة تحتوي على جداول {count} بايت كحد أقصى.',
  'files.emptyWorkbook': 'المصنف فارغ.',
  'files.tooManySheetsWithData':
    'يتجاوز عدد الأوراق التي تحتوي على بيانات في المصنف الحد الأقصى للملف الواحد، وهو {count}.',
  'files.tooManySheets': 'يتجاوز عدد أوراق المصنف الحد الأقصى، وهو {count}.',
  'files.tooManyFormats': 'يتجاوز عدد التنسيقات في المصنف الحد الأقصى، وهو {count}.',
  'files.workbookPartMissing': 'المصنف تالف: {part} مفقود.',
  'files.sheetMissing': 'المصنف تالف: الورقة {sheet} مفقودة.',
  'files.sheetShared': 'المصنف تالف: الورقة {sheet} تشارك محتواها مع ورقة أخرى.',
  'files.invalidRow': 'رقم الصف {row} غير صالح.',
  'files.invalidCell': 'في الصف {row}، مرجع الخلية {cell} غير صالح.',
  'files.unknownSharedText': 'تشير الخلية {cell} إلى النص المشترك {text} غير الموجود في المصنف.',
  'files.invalidMergedRange': 'نطاق الخلايا المدمجة {range} غير صالح.',
  'files.tooManyMergedCells': 'يتجاوز عدد الخلايا المدمجة الحد الأقصى الذي يمكن ملؤه، وهو {count}.',
  'files.encryptedSpreadsheet': 'جدول البيانات محمي بكلمة مرور. احفظه بدون كلمة مرور وحاول مرة أخرى.',
  'files.repeatedCellsTooLarge': 'تتجاوز الصفوف والخلايا المكررة في جدول البيانات {count} بايت.',
  'files.sharedTextsTooLarge': 'يتجاوز حجم النصوص المشتركة في المصنف {count} بايت. احفظ أوراقه كملفات CSV.',

  'files.emptyArchive': 'الأرشيف فارغ.',
  'files.archiveWithoutTables': 'لا يحتوي الأرشيف على جدول قابل للقراءة: {files}.',
  'files.archiveTooLarge': 'يتجاوز حجم الأرشيف بعد فك ضغطه الحد الأقصى، وهو {count} بايت.',
  'files.gzipBomb':
    'بعد {count} بايت تجاوز حجم الأرشيف بعد فك ضغطه حجمه الأصلي بأكثر من {ratio} ضعف. رُفض لأنه قد يكون قنبلة ZIP.',
  'files.gzipDamaged': 'أرشيف gzip تالف: {problem}.',
  'files.notAnArchive': 'الملف تالف أو ليس أرشيف ZIP: {problem}',

  'files.nestedZip': 'هذا أرشيف ZIP داخل أرشيف، وهو غير مدعوم.',
  'files.nestedGzip': 'هذا أرشيف gzip داخل أرشيف، وهو غير مدعوم.',
  'files.nestedWorkbooksTooLarge':
    'مع هذا المصنف يتجاوز الحجم الإجمالي للمصنفات في الأرشيف {count} بايت. استورده كملف منفصل.',
  'files.nestedBomb': 'يتجاوز حجمه بعد فك ضغطه حجمه في الأرشيف بأكثر من {ratio} ضعف. رُفض لأنه قد يكون قنبلة ZIP.',

  'files.tooManyEntries': 'عدد الملفات في الأرشيف {count}، والحد الأقصى {maximum}.',
  'files.duplicateEntry': 'يحتوي الأرشيف على ملفين بالاسم {entry}.',
  'files.overlappingEntries': 'يتداخل الملفان {first} و{second} في الأرشيف.',
  'files.unsafePath': 'يحتوي الأرشيف على ملف مساره غير آمن ({problem}).',
  'files.symlinkEntry': 'الملف {entry} في الأرشيف رابط رمزي، وهو غير مدعوم.',
  'files.encryptedEntry': 'الملف {entry} في الأرشيف مشفّر. احفظ الملف بدون كلمة مرور وحاول مرة أخرى.',
  'files.compressionMethod': 'يستخدم الملف {entry} في الأرشيف طريقة ضغط غير مدعومة ({method}).',
  'files.entryTooLarge': 'حجم الملف {entry} في الأرشيف بعد فك ضغطه {count} بايت، والحد الأقصى {maximum}.',
  'files.entryBomb':
    'يتجاوز حجم الملف {entry} في الأرشيف بعد فك ضغطه حجمه الأصلي بأكثر من {ratio} ضعف. رُفض لأنه قد يكون قنبلة ZIP.',
  'files.entryDamaged': 'الملف {entry} في الأرشيف تالف: {problem}',
  'files.entryTooLong': 'حجمه أكبر من الحجم المحدد، وهو {count} بايت',
  'files.entryTooShort': 'حجمه {count} بايت بدلاً من {declared} كما هو محدد',
  'files.endsEarly': 'النهاية مفقودة',
}
