import type { fileMessages } from '../../../../schemas/messages/files.ts'
import type { Text } from '../../../../schemas/messages/format.ts'

export const files: Record<keyof typeof fileMessages, Text> = {
  'files.reason': '{file}: {reason}',
  'files.internalError': 'Se produjo un error interno. Intente extraer el archivo de nuevo más tarde.',

  'files.nameHasSlashes': 'no debe contener barras ni caracteres de control',
  'files.nameHasBidi': 'no debe contener caracteres de control bidireccionales',
  'files.invalidName': 'tiene un nombre de archivo no válido: {problem}',
  'files.invalidPrefix': 'produce un nombre de archivo no válido: {problem}',

  'files.environmentMismatch': 'no coincide con el entorno del espacio',
  'files.spaceRequired': 'es obligatorio porque este token no está limitado a un solo entorno',
  'files.workbookElsewhere': 'no es un libro del mismo espacio',
  'files.statusReasonNotAllowed': 'solo se permite junto con `status` `failed`',
  'files.stillUploading': 'El archivo todavía se está subiendo.',
  'files.stillReading': 'El archivo todavía se está leyendo. Inténtelo de nuevo después.',
  'files.size': { one: 'El archivo tiene {count} byte.', other: 'El archivo tiene {count} bytes.' },

  'files.exceedsBytes': 'supera el límite de {count} bytes',
  'files.tooLarge': 'Un archivo puede tener como máximo {count} bytes.',
  'files.wrongUploadSize': {
    one: 'Se recibió {count} byte de la subida en lugar de {expected}.',
    other: 'Se recibieron {count} bytes de la subida en lugar de {expected}.',
  },
  'files.nothingUploaded': 'No se recibió ningún byte. Envíelos primero con PUT a la URL de subida.',
  'files.partsRequired': 'debe incluir cada parte con su etag',
  'files.invalidParts': 'Las partes no forman un archivo válido: {problem}',

  'files.formRequired': 'debe ser multipart/form-data',
  'files.fileRequired': 'falta',
  'files.severalFiles': 'debe ser exactamente un archivo por solicitud; recibidos: {count}',
  'files.invalidForm': 'no es un formulario válido: {problem}',
  'files.tooManyFormFields': 'supera el límite de {count} campos',

  'files.requiredForAlgorithm': 'es obligatorio para el algoritmo {algorithm}',
  'files.rowNotInData': 'la fila {row} no existe en los datos',

  'files.previewTooLarge': 'Los libros de más de {count} bytes no tienen vista previa.',
  'files.cellTooLong':
    'Hoja {sheet}, fila {row}: {column} supera el límite de las hojas de cálculo de {count} caracteres por celda. Exporte como CSV o JSON.',
  'files.tooManyComments':
    'La hoja {sheet} tiene mensajes en más de {count} celdas, o demasiado largos. Seleccione menos registros o exporte con una columna de mensajes en lugar de comentarios.',

  'files.supportedTypes':
    '{explanation} Archivos admitidos: CSV, TSV, PSV, TXT, XLSX, XLSM, XLSB, XLS, ODS, PARQUET, ARROW, FEATHER, JSON, JSONL, XML, HTML, y ZIP o GZ de estos.',
  'files.unsupportedType': 'Los archivos de tipo {type} no se admiten.',
  'files.noExtension':
    'El nombre del archivo no tiene una extensión que identifique su tipo. Agregue la extensión y suba el archivo de nuevo.',
  'files.appleNumbers':
    'Los archivos de Apple Numbers ({type}) no se admiten. Exporte la tabla como XLSX o CSV y suba ese archivo.',
  'files.document':
    'Los documentos ({type}) no se admiten. Copie la tabla en una hoja de cálculo, guárdela como XLSX o CSV y suba ese archivo.',
  'files.otherArchive':
    'Los archivos comprimidos de tipo {type} no se admiten. Vuelva a comprimir los archivos como ZIP y suba ese archivo.',
}
