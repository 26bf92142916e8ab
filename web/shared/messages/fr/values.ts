import type { Text } from '../../../../schemas/messages/format.ts'
import type { valueMessages } from '../../../../schemas/messages/values.ts'

export const values: Record<keyof typeof valueMessages, Text> = {
  'values.original': 'était « {original} »',
  'values.severalMeanings': 'Ce texte peut signifier {alternatives} : saisissez l’une de ces valeurs',
  'values.otherUnit': 'L’unité de ce nombre diffère des autres nombres ou du champ : saisissez un nombre sans unité',
  'values.notEmail': 'Cette valeur n’est pas une adresse e-mail : utilisez une forme telle que ada@example.com',
  'values.notPhone':
    'Cette valeur n’est pas un numéro de téléphone, ou son pays n’est pas connu : commencez par + et l’indicatif du pays',
  'values.notUrl': 'Cette valeur n’est pas une adresse web : utilisez une forme telle que https://example.com',
  'values.notTime': 'Cette valeur n’est pas une heure : utilisez une forme telle que 14:30',
  'values.fieldsOrSheet': 'est obligatoire sans sheetId, et interdit avec sheetId',
  'values.tooMany': 'ont {count} valeurs ; un appel peut en avoir au plus {limit}',
  'values.otherType': 'est une lecture de type {reading} ; le champ est de type {field}',
}
