import type { Text } from '../../../../schemas/messages/format.ts'
import type { qualityMessages } from '../../../../schemas/messages/quality.ts'

export const quality: Record<keyof typeof qualityMessages, Text> = {
  'quality.notListField': 'solo se puede dividir en un campo que contiene listas',
  'quality.otherFieldType': 'debe ser el tipo del campo: {type}',
  'quality.replacedTwice': 'se sustituye por dos valores distintos',
  'quality.tooManyValues': 'El campo {field} tiene más de {count} textos distintos, el máximo del método `distance`.',
  'quality.tooManyComparisons':
    'Los textos del campo {field} se parecen tanto que el método `distance` necesita más de {count} comparaciones. Use otro método o un radio menor.',
  'quality.mergedTwice': 'aparece más de una vez en estas fusiones',
  'quality.notInGroup': 'debe ser un registro de esta fusión',
  'quality.notReference': 'debe ser un campo de referencia',
  'quality.filteredReference': 'tiene un filtro, por lo que los registros que faltan necesitan más de un valor',
  'quality.noLinkedField': 'La hoja referenciada o su campo no existe.',
}
