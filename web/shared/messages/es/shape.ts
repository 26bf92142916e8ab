import type { Text } from '../../../../schemas/messages/format.ts'
import type { shapeMessages } from '../../../../schemas/messages/shape.ts'

export const shape: Record<keyof typeof shapeMessages, Text> = {
  'shape.required': 'es obligatorio',
  'shape.notValid': 'no es válido',
  'shape.notEmpty': 'no debe estar vacío',
  'shape.duplicate': 'está duplicado',

  'shape.string': 'debe ser un texto',
  'shape.number': 'debe ser un número',
  'shape.wholeNumber': 'debe ser un número entero',
  'shape.trueOrFalse': 'debe ser true o false',
  'shape.list': 'debe ser una lista',
  'shape.object': 'debe ser un objeto',
  'shape.null': 'debe ser null',
  'shape.date': 'debe ser una fecha',
  'shape.id': 'debe ser un identificador',

  'shape.email': 'debe ser una dirección de correo electrónico',
  'shape.url': 'debe ser una URL como https://example.com/path',
  'shape.dateTime': 'debe ser una fecha y hora con su zona, como 2026-01-31T12:00:00Z',
  'shape.plainDate': 'debe ser una fecha como 2026-01-31',
  'shape.pattern': 'debe coincidir con el patrón {pattern}',

  'shape.exactly': 'debe ser exactamente {value}',
  'shape.oneOf': 'debe ser uno de estos valores: {values}',
  'shape.oneOfSuggestion': 'debe ser uno de estos valores: {values}. ¿Quiso decir {suggestion}?',
  'shape.unknownProperties': 'tiene propiedades desconocidas: {names}',
  'shape.unknownName': 'no es un nombre conocido. ¿Quiso decir {suggestion}?',
  'shape.protoKey': 'no está permitido como clave',

  'shape.charactersAtLeast': {
    one: 'debe tener al menos {count} carácter',
    other: 'debe tener al menos {count} caracteres',
  },
  'shape.charactersAtMost': {
    one: 'debe tener como máximo {count} carácter',
    other: 'debe tener como máximo {count} caracteres',
  },
  'shape.entriesAtLeast': {
    one: 'debe tener al menos {count} elemento',
    other: 'debe tener al menos {count} elementos',
  },
  'shape.entriesAtMost': {
    one: 'debe tener como máximo {count} elemento',
    other: 'debe tener como máximo {count} elementos',
  },
  'shape.bytesAsJson': 'no debe superar los {count} bytes como JSON',
  'shape.atLeast': 'debe ser como mínimo {limit}',
  'shape.moreThan': 'debe ser mayor que {limit}',
  'shape.atMost': 'debe ser como máximo {limit}',
  'shape.lessThan': 'debe ser menor que {limit}',
  'shape.multipleOf': 'debe ser múltiplo de {divisor}',
  'shape.digits': 'debe tener {count} dígitos',
  'shape.timetoken': 'debe ser un timetoken: {count} dígitos',
  'shape.moreProblems': { one: 'tiene {count} problema más', other: 'tiene {count} problemas más' },
}
