import type { Text } from '../../../../schemas/messages/format.ts'
import type { valueMessages } from '../../../../schemas/messages/values.ts'

export const values: Record<keyof typeof valueMessages, Text> = {
  'values.original': 'era «{original}»',
  'values.severalMeanings': 'Este texto puede significar {alternatives}: introduzca uno de estos valores',
  'values.otherUnit':
    'La unidad de este número difiere de los demás números o del campo: introduzca un número sin unidad',
  'values.fieldsOrSheet': 'es obligatorio sin sheetId y no se permite con sheetId',
  'values.tooMany': 'tienen {count} valores; una llamada puede tener como máximo {limit}',
  'values.otherType': 'es una lectura del tipo {reading}; el campo es del tipo {field}',
}
