import type { Text } from '../../../../schemas/messages/format.ts'
import type { valueMessages } from '../../../../schemas/messages/values.ts'

export const values: Record<keyof typeof valueMessages, Text> = {
  'values.original': 'était « {original} »',
  'values.severalMeanings': 'Ce texte peut signifier {alternatives} : saisissez l’une de ces valeurs',
  'values.otherUnit': 'L’unité de ce nombre diffère des autres nombres ou du champ : saisissez un nombre sans unité',
  'values.fieldsOrSheet': 'est obligatoire sans sheetId, et interdit avec sheetId',
  'values.tooMany': 'ont {count} valeurs ; un appel peut en avoir au plus {limit}',
  'values.otherType': 'est une lecture de type {reading} ; le champ est de type {field}',
}
