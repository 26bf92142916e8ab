import type { Text } from '../../../../schemas/messages/format.ts'
import type { recordMessages } from '../../../../schemas/messages/records.ts'

export const records: Record<keyof typeof recordMessages, Text> = {
  'records.required': 'Este campo es obligatorio',
  'records.notUnique': 'Este valor no es único',
  'records.combinationNotUnique': 'Esta combinación de valores no es única',
  'records.unlinked': 'Este valor no existe en la hoja de referencia',
  'records.notOption': 'Este valor no es una de las opciones',

  'records.notNumber':
    'Este valor no es un número: use solo dígitos, un punto decimal y un signo menos, por ejemplo -1234.5',
  'records.numberTooLong': 'Este número tiene demasiados dígitos para guardarse con exactitud: use un campo de texto',
  'records.notBoolean': 'Este valor no es un booleano: use true o false',

  'records.notDate': 'Este valor no es una fecha: use el formato AAAA-MM-DD',
  'records.ambiguousDate':
    'Esta fecha es ambigua porque el día y el mes podrían estar intercambiados: use el formato AAAA-MM-DD',
  'records.impossibleDate': 'Esta fecha no existe: use una fecha válida con el formato AAAA-MM-DD',
  'records.dateWithTime': 'Este valor incluye una hora, pero el campo solo guarda fechas: use el formato AAAA-MM-DD',
  'records.shortYear': 'Esta fecha es ambigua porque el año tiene menos de cuatro dígitos: use el formato AAAA-MM-DD',

  'records.notText': 'Este valor no es texto',
  'records.textTooLong': 'Este texto supera los {count} bytes',
  'records.notList': 'Este valor no es una lista',
  'records.invalidListEntry': 'Una lista solo puede contener texto, números y booleanos',
  'records.listTooLong': 'Una lista puede tener como máximo {count} valores',

  'records.sheetFull': {
    one: 'Una hoja puede tener como máximo {count} registro; esta tiene {current}.',
    many: 'Una hoja puede tener como máximo {count} de registros; esta tiene {current}.',
    other: 'Una hoja puede tener como máximo {count} registros; esta tiene {current}.',
  },
  'records.insertTooLarge': 'Se pueden insertar como máximo {count} registros por solicitud.',
  'records.rowTooLarge': '{part} de la fila {row} supera el límite de {count} bytes.',
  'records.recordTooLarge': '{part} del registro {record} supera el límite de {count} bytes.',
  'records.linksTooLarge':
    'Los registros vinculados de una página pueden ocupar como máximo {count} bytes. Solicite una página más pequeña.',
  'records.sheetLocked': 'La hoja {sheet} está bloqueada: desbloquéela para cambiar sus registros.',
  'records.keysRepeatedInRows': 'Claves que tienen varias filas del origen: {keys}, por ejemplo {examples}.',
  'records.keysRepeatedInRecords': 'Claves del origen que tienen varios registros: {keys}, por ejemplo {examples}.',
  'records.keysKeepChanging': 'Los registros cambiaron una y otra vez durante la importación. Repítala más tarde.',
  'records.changedSincePreview':
    'La hoja se ha modificado desde la vista previa. Solicite una nueva vista previa e inténtelo de nuevo.',

  'records.noField': 'La hoja no tiene ningún campo «{field}».',
  'records.noCommit': 'La hoja no tiene ningún commit «{commit}».',
  'records.noVersion': 'La hoja no tiene una versión {version}.',
  'records.idsEmpty': 'debe contener al menos un registro',
  'records.updatesEmpty': 'debe indicar al menos un campo',

  'records.invalidCellValue': 'debe ser una cadena, un número, true, false, null o una lista de esos valores',
  'records.notCell': 'no es una celda: una celda es un valor o un objeto como {example}',
  'records.isCell': 'es una celda',
  'records.unknownCellProperties':
    'tiene propiedades desconocidas: {properties}. Una celda es un valor o un objeto como {example}',
  'records.unknownRecordProperties':
    'tiene propiedades desconocidas: {properties}. Ponga las celdas en «values», como en {example}',
  'records.andMore': '{list} y {count} más',
  'records.idAssigned': 'lo asigna la plataforma: omítalo o actualice el registro existente con PUT',
  'records.nestedValues': 'no es un campo de esta hoja; un registro es {flat} o {nested}',
  'records.reservedKey': 'no debe ser __proto__',

  'records.queryError': 'En la columna {column}: {problem}',
  'records.queryTooLong': 'Una consulta puede tener como máximo {count} caracteres.',
  'records.queryTooDeep': 'una consulta puede tener como máximo {count} niveles de anidamiento.',
  'records.patternTooLong': 'un patrón con «_» puede tener como máximo {count} caracteres.',
  'records.quoteNotClosed': 'la comilla {quote} no está cerrada.',
  'records.parenthesisNotOpened': 'este paréntesis no se ha abierto.',
  'records.parenthesisNotClosed': 'este paréntesis no está cerrado.',
  'records.expectedEnd': 'se esperaba «and», «or» o el final, no «{found}»; un texto con espacios necesita comillas.',
  'records.expectedParenthesis': 'se esperaba «and», «or» o «)», no «{found}».',
  'records.expectedField': 'se esperaba un campo o un operador, no «{found}».',
  'records.expectedFieldAtEnd': 'se esperaba un campo o un operador.',
  'records.expectedOperator': 'se esperaba un operador ({operators}, is) después de «{text}».',
  'records.expectedValue': 'se esperaba un valor después de «{text}»; ponga and, or, not y los signos entre comillas.',
  'records.expectedState': 'se esperaba uno de estos después de «is»: {states}.',
  'records.unknownQueryField': 'la hoja no tiene ningún campo «{field}».',

  'records.lineTooLong': 'La línea {line} supera los {count} bytes.',
  'records.lineNotUtf8': 'no está codificada en UTF-8',
  'records.lineNotObject': 'no es un objeto JSON',
  'records.lineWithoutId': 'tiene __d pero no __k: añada el id del registro que se debe eliminar',
  'records.lineKeyNotText': '{key} no es una cadena no vacía',
  'records.lineKeyNotBoolean': '{key} no es true ni false',
  'records.lineKeyNotObject': '{key} no es un objeto',
  'records.lineKeyNotCell': '{key} es un objeto pero no una celda: no tiene value ni messages',
  'records.lineUnknownProperty': '{key} tiene {property}, que no es una propiedad de una celda',
  'records.lineNumberTooLarge': '{key} es un número demasiado grande',
  'records.lineNotMessages': '{key} no es una lista de mensajes',
  'records.lineMessageWithoutField': '__i tiene un mensaje sin campo',
  'records.lineKeyProblem': '«{key}» {problem}',

  'records.sheetRequired': 'es obligatorio si no se indican workbookId y sheetSlug',
  'records.otherSheet': 'apunta a una hoja distinta de {sheet}; una solicitud solo puede escribir en una hoja',
  'records.snapshotsNotAllowed': 'Este token no tiene permiso para crear instantáneas.',
  'records.beforeJsonLines': 'Antes de una escritura JSON Lines',
  'records.onlyCsv': 'debe ser csv: use un trabajo `sheet:export` para xlsx, json y jsonl',

  'records.fieldExists': 'La hoja ya tiene un campo {field}.',
  'records.tooManyFields': 'no se puede añadir: una hoja puede tener como máximo {count} campos',
  'records.duplicateFieldKey': 'es la clave de dos campos: {key}',
  'records.sheetConfigTooLarge': 'la configuración de una hoja puede ocupar como máximo {count} bytes',
  'records.duplicateSlug': 'lo usan dos hojas: {slug}',
  'records.slugTaken': 'Dos hojas del libro tendrían el slug {slug}.',
  'records.noSheet': 'no es una hoja del libro: {sheet}.',
  'records.noSheetButSimilar': 'no es una hoja del libro: {sheet}. ¿Quiso decir {suggestion}?',
  'records.noReferencedField': 'no es un campo de la hoja {sheet}: {field}.',
  'records.noReferencedFieldButSimilar': 'no es un campo de la hoja {sheet}: {field}. ¿Quiso decir {suggestion}?',
  'records.sheetProblem': '{path} de la hoja {sheet}: {problem}',
  'records.sheetTooLargeToCopy':
    'La hoja {sheet} es demasiado grande para copiarla en una sola solicitud. Cree una hoja con los mismos campos y rellénela con un trabajo workbook:map.',

  'records.otherWorkbook': 'no coincide con el libro de la hoja; las hojas no se pueden mover a otro libro',
  'records.otherSpace': 'no coincide con el espacio del libro; los libros no se pueden mover a otro espacio',
  'records.otherEnvironmentThanSpace': 'no coincide con el entorno del espacio',
  'records.otherEnvironmentThanWorkbook': 'no coincide con el entorno del libro',
  'records.spaceRequired': 'es obligatorio porque este token no está limitado a un solo entorno',
  'records.tooManyViews': 'Esta hoja ya tiene {count} vistas, el máximo permitido.',
  'records.viewKeysTooLong': 'puede tener como máximo {count} caracteres en total',
}
