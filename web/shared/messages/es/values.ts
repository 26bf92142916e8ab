import type { Text } from '../../../../schemas/messages/format.ts'
import type { valueMessages } from '../../../../schemas/messages/values.ts'

export const values: Record<keyof typeof valueMessages, Text> = {
  'values.original': 'era «{original}»',
  'values.severalMeanings': 'Este texto puede significar {alternatives}: introduzca uno de estos valores',
  'values.otherUnit':
    'La unidad de este número difiere de los demás números o del campo: introduzca un número sin unidad',
  'values.notEmail': 'Este valor no es una dirección de correo: use una forma como ada@example.com',
  'values.notPhone':
    'Este valor no es un número de teléfono o no se conoce su país: empiece con + y el prefijo del país',
  'values.notUrl': 'Este valor no es una dirección web: use una forma como https://example.com',
  'values.notTime': 'Este valor no es una hora: use una forma como 14:30',
  'values.fieldsOrSheet': 'es obligatorio sin sheetId y no se permite con sheetId',
  'values.tooMany': 'tienen {count} valores; una llamada puede tener como máximo {limit}',
  'values.otherType': 'es una lectura del tipo {reading}; el campo es del tipo {field}',
  'values.whyBoolean': { one: '{count} valor de {total} es sí o no', other: '{count} valores de {total} son sí o no' },
  'values.whyDate': { one: '{count} valor de {total} es una fecha', other: '{count} valores de {total} son fechas' },
  'values.whyEmail': {
    one: '{count} valor de {total} es una dirección de correo',
    other: '{count} valores de {total} son direcciones de correo',
  },
  'values.whyEmpty': {
    one: 'La columna está vacía en {count} fila',
    other: 'La columna está vacía en las {count} filas',
  },
  'values.whyNumber': { one: '{count} valor de {total} es un número', other: '{count} valores de {total} son números' },
  'values.whyOptions': {
    one: '{distinct} valores distintos en {count} fila',
    other: '{distinct} valores distintos en {count} filas',
  },
  'values.whyPhone': {
    one: '{count} valor de {total} es un número de teléfono',
    other: '{count} valores de {total} son números de teléfono',
  },
  'values.whyRequired': { one: 'Nunca vacía en {count} fila', other: 'Nunca vacía en {count} filas' },
  'values.whyText': {
    one: 'Textos distintos de hasta {count} carácter',
    other: 'Textos distintos de hasta {count} caracteres',
  },
  'values.whyTime': { one: '{count} valor de {total} es una hora', other: '{count} valores de {total} son horas' },
  'values.whyUnique': { one: '{count} valor, sin duplicados', other: '{count} valores, sin duplicados' },
  'values.whyUnit': {
    one: '{count} valor de {total} es un número en {unit}',
    other: '{count} valores de {total} son números en {unit}',
  },
  'values.whyUrl': {
    one: '{count} valor de {total} es una dirección web',
    other: '{count} valores de {total} son direcciones web',
  },
}
