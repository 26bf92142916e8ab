import type { fileReadingMessages } from '../../../../schemas/messages/file-reading.ts'
import type { Text } from '../../../../schemas/messages/format.ts'

export const fileReading: Record<keyof typeof fileReadingMessages, Text> = {
  'files.empty': 'El archivo está vacío.',
  'files.blank': 'El archivo está vacío o solo contiene espacios en blanco.',
  'files.notAWorkbook': 'El archivo no es un libro válido.',
  'files.workbookDamaged': 'El libro está dañado en el byte {byte}.',
  'files.sharedTextsDamaged': 'Los textos del libro están dañados.',
  'files.oldWorkbook': 'El libro se guardó con Excel 95 o anterior. Guárdelo como XLSX e inténtelo de nuevo.',
  'files.xlsTooLarge': 'Un libro XLS puede tener como máximo {count} bytes. Guárdelo como XLSX e inténtelo de nuevo.',
  'files.rowsNotInOrder':
    'La fila {row} viene después de la fila {previous}. Vuelva a guardar el libro en un programa de hojas de cálculo e inténtelo de nuevo.',

  'files.parquetDamaged': 'El archivo Parquet está dañado: {problem}.',
  'files.parquetEncrypted': 'El archivo Parquet está cifrado. Escríbalo sin cifrado y suba ese archivo.',
  'files.notParquet': 'El archivo no es un archivo Parquet válido.',
  'files.parquetFooterTooLarge':
    'El pie del archivo Parquet tiene {count} bytes; se permiten como máximo {maximum}. Escriba menos grupos de filas.',
  'files.parquetBufferTooLarge':
    'La lectura del archivo Parquet necesita más de {count} bytes de memoria. Escríbalo con páginas o grupos de filas más pequeños.',
  'files.arrowDamaged': 'El archivo Arrow está dañado: {problem}.',
  'files.notArrow': 'El archivo no es un archivo Arrow o Feather válido.',
  'files.arrowOld':
    'El archivo tiene una versión antigua de Arrow o Feather. Escríbalo como Feather versión 2 y suba ese archivo.',
  'files.arrowMetadataTooLarge':
    'Los metadatos del archivo Arrow tienen {count} bytes; se permiten como máximo {maximum}. Escriba menos columnas o lotes de registros.',
  'files.arrowBufferTooLarge':
    'La lectura del archivo Arrow necesita más de {count} bytes de memoria. Escríbalo con lotes de registros más pequeños.',
  'files.columnType': 'La columna {column} tiene un tipo, una codificación o una compresión que no se admite: {type}.',
  'files.columnValue': 'Fila {row}: {column} tiene un valor que no es texto, como datos binarios.',
  'files.columnTooDeep': 'La columna {column} supera el límite de {count} niveles de anidamiento.',
  'files.tooManyTables': 'El archivo tiene más de {count} tablas, el máximo por archivo.',
  'files.tooLargeForOneFunction': 'Un archivo de más de {count} bytes debe ser texto delimitado, todo en UTF-8.',
  'files.tooManyRows': 'La tabla tiene más de {count} filas, el máximo de una hoja.',
  'files.tooManyColumns': 'La tabla tiene {count} columnas; una hoja tiene como máximo {maximum}.',
  'files.rowTooWide': 'La fila {row} tiene {count} columnas; una hoja tiene como máximo {maximum}.',
  'files.rowTooLarge': 'Una fila tiene más de {count} bytes.',
  'files.headerRowTooFar':
    'La fila {row} no puede ser la fila de encabezado porque no está entre las primeras {count} filas.',
  'files.headerLinesTooMany': {
    one: 'El encabezado termina en la fila {row}, así que no puede tener {count} línea.',
    other: 'El encabezado termina en la fila {row}, así que no puede tener {count} líneas.',
  },
  'files.headerRowEmpty': 'La fila {row} de la hoja {sheet} no puede ser la fila de encabezado porque está vacía.',

  'files.notText': 'El archivo no es texto: tiene contenido binario en el byte {byte}.',
  'files.binary': 'El archivo es {kind}, no un texto delimitado.',
  'files.kindZip': 'un archivo ZIP o un libro de Excel',
  'files.kindLegacyExcel': 'un libro del formato antiguo de Excel',
  'files.kindPdf': 'un documento PDF',
  'files.kindGzip': 'un archivo gzip',
  'files.kindPng': 'una imagen PNG',
  'files.kindJpeg': 'una imagen JPEG',
  'files.kindGif': 'una imagen GIF',
  'files.kindProgram': 'un programa',
  'files.kindParquet': 'un archivo Parquet',
  'files.kindSqlite': 'una base de datos SQLite',
  'files.rowHasNul':
    'La fila {row} tiene un carácter NUL en el byte {byte}. El archivo está dañado o no es un archivo de texto.',
  'files.rowDoesNotEnd': 'La fila {row} no termina en {count} caracteres.',
  'files.undecodableRow':
    'En la fila {row}, el byte {byte} no es {encoding} válido. Guarde el archivo como UTF-8 e inténtelo de nuevo.',
  'files.undecodableLine':
    'En la línea {line}, el byte {byte} no es {encoding} válido. Guarde el archivo como UTF-8 e inténtelo de nuevo.',
  'files.undecodableRecord':
    'Después del registro {record}, el byte {byte} no es {encoding} válido. Guarde el archivo como UTF-8 e inténtelo de nuevo.',

  'files.tooManyWidths': 'supera el límite de {count} columnas por hoja',
  'files.lineTooLong': 'La línea {line} tiene más de {count} caracteres.',
  'files.lineTooWide': 'La línea {line} es más larga que las columnas declaradas y continúa con {text}.',

  'files.noRecords': 'El archivo no tiene registros.',
  'files.jsonEndsEarly': 'El JSON termina dentro del registro {record}.',
  'files.invalidJson': 'JSON no válido después del registro {record}, en el byte {byte}: {problem}.',
  'files.recordValueTooLong': 'El registro {record} tiene un valor de más de {count} caracteres.',
  'files.recordListTooLong': 'El registro {record} tiene una lista de más de {count} caracteres.',
  'files.recordTooDeep': 'El registro {record} supera el límite de {count} niveles de anidamiento.',
  'files.tooManyValues':
    'El objeto exterior tiene más de {count} valores. Se espera una lista de registros o un objeto con tales listas.',
  'files.tooManyRecordColumns': 'Con el registro {record} hay {count} columnas; una hoja tiene como máximo {maximum}.',

  'files.invalidXml': 'XML no válido en la línea {line}, columna {column}: {problem}',
  'files.unknownEncoding': 'El XML declara una codificación desconocida: {encoding}.',
  'files.xmlDocumentType':
    'La línea {line} tiene un tipo de documento (DOCTYPE), que no se admite porque puede hacer referencia a entidades y archivos externos.',
  'files.xmlTextTooLong': 'La línea {line} tiene una etiqueta o un texto de más de {count} caracteres.',
  'files.xmlTooDeep': 'La línea {line} tiene elementos anidados en más de {count} niveles.',
  'files.elementTooDeep': 'El elemento {element} supera el límite de {count} niveles de anidamiento.',
  'files.tooManyElements': 'El XML tiene más de {count} tipos de elementos.',
  'files.xmlRecordTooLong': 'Un registro de {element} tiene más de {count} caracteres.',

  'files.sheetReason': 'Hoja {sheet}: {reason}',
  'files.pageWithoutTable': 'La página no contiene ninguna tabla.',
  'files.pageTooLarge': 'Una página con tablas puede tener {count} bytes como máximo.',
  'files.emptyWorkbook': 'El libro está vacío.',
  'files.tooManySheetsWithData': 'El libro tiene más de {count} hojas con datos, el máximo por archivo.',
  'files.tooManySheets': 'El libro tiene más de {count} hojas.',
  'files.tooManyFormats': 'El libro tiene más de {count} formatos.',
  'files.workbookPartMissing': 'El libro está dañado: falta {part}.',
  'files.sheetMissing': 'El libro está dañado: falta la hoja {sheet}.',
  'files.sheetShared': 'El libro está dañado: la hoja {sheet} comparte su contenido con otra hoja.',
  'files.invalidRow': 'El número de fila {row} no es válido.',
  'files.invalidCell': 'En la fila {row}, la referencia de celda {cell} no es válida.',
  'files.unknownSharedText': 'La celda {cell} hace referencia al texto compartido {text}, que no existe en el libro.',
  'files.invalidMergedRange': 'El rango {range} de celdas combinadas no es válido.',
  'files.tooManyMergedCells': 'Hay más de {count} celdas combinadas, el máximo que se puede rellenar.',
  'files.encryptedSpreadsheet':
    'La hoja de cálculo está protegida con contraseña. Guárdela sin contraseña e inténtelo de nuevo.',
  'files.passwordRequired': 'El libro está protegido con contraseña. Desbloquéelo con su contraseña.',
  'files.wrongPassword': 'La contraseña es incorrecta.',
  'files.notProtected': 'El archivo no es un libro protegido con contraseña.',
  'files.protectedTooLarge': 'Un libro con contraseña puede tener como máximo {count} bytes. Guárdelo sin contraseña.',
  'files.encryptionDamaged': 'El cifrado del libro está dañado.',
  'files.encryptionUnsupported': 'El libro está cifrado de una forma no compatible: {method}.',
  'files.tooManyPasswordRounds':
    'La contraseña del libro se procesa {count} veces; se permiten {maximum} como máximo. Guárdelo sin contraseña.',
  'files.repeatedCellsTooLarge': 'Las filas y celdas repetidas de la hoja de cálculo superan los {count} bytes.',
  'files.sharedTextsTooLarge':
    'Los textos compartidos del libro superan los {count} bytes. Guarde sus hojas como archivos CSV.',

  'files.emptyArchive': 'El archivo comprimido está vacío.',
  'files.archiveWithoutTables': 'El archivo comprimido no contiene ninguna tabla legible: {files}.',
  'files.archiveTooLarge': 'El archivo comprimido ocupa descomprimido más de {count} bytes, el máximo.',
  'files.gzipBomb':
    'Tras {count} bytes, el archivo comprimido ocupa descomprimido más de {ratio} veces su tamaño. Se rechazó como posible bomba ZIP.',
  'files.gzipDamaged': 'El archivo gzip está dañado: {problem}.',
  'files.notAnArchive': 'El archivo está dañado o no es un archivo ZIP: {problem}',

  'files.nestedZip': 'Es un archivo ZIP dentro de un archivo comprimido, lo que no se admite.',
  'files.nestedGzip': 'Es un archivo gzip dentro de un archivo comprimido, lo que no se admite.',
  'files.nestedWorkbooksTooLarge':
    'Con este, los libros del archivo comprimido superan en total los {count} bytes. Impórtelo como archivo aparte.',
  'files.nestedBomb':
    'Descomprimido ocupa más de {ratio} veces su tamaño en el archivo comprimido. Se rechazó como posible bomba ZIP.',

  'files.tooManyEntries': 'El archivo comprimido tiene {count} entradas; el máximo es {maximum}.',
  'files.duplicateEntry': 'El archivo comprimido tiene dos entradas con el nombre {entry}.',
  'files.overlappingEntries': 'Las entradas {first} y {second} del archivo comprimido se superponen.',
  'files.unsafePath': 'El archivo comprimido tiene una entrada con una ruta no segura ({problem}).',
  'files.symlinkEntry': 'La entrada {entry} del archivo comprimido es un enlace simbólico, lo que no se admite.',
  'files.encryptedEntry':
    'La entrada {entry} del archivo comprimido está cifrada. Guarde el archivo sin contraseña e inténtelo de nuevo.',
  'files.compressionMethod':
    'La entrada {entry} del archivo comprimido usa un método de compresión no admitido ({method}).',
  'files.entryTooLarge':
    'La entrada {entry} del archivo comprimido ocupa descomprimida {count} bytes; el máximo es {maximum}.',
  'files.entryBomb':
    'La entrada {entry} del archivo comprimido ocupa descomprimida más de {ratio} veces su tamaño. Se rechazó como posible bomba ZIP.',
  'files.entryDamaged': 'La entrada {entry} del archivo comprimido está dañada: {problem}',
  'files.entryTooLong': {
    one: 'tiene más que el {count} byte declarado',
    other: 'tiene más de los {count} bytes declarados',
  },
  'files.entryTooShort': {
    one: 'tiene {count} byte en lugar de los {declared} declarados',
    other: 'tiene {count} bytes en lugar de los {declared} declarados',
  },
  'files.endsEarly': 'falta el final',
}
