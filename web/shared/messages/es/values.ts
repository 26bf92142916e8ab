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
}
