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
  'values.whyBoolean': {
    one: '{count} valeur sur {total} est oui ou non',
    other: '{count} valeurs sur {total} sont oui ou non',
  },
  'values.whyDate': {
    one: '{count} valeur sur {total} est une date',
    other: '{count} valeurs sur {total} sont des dates',
  },
  'values.whyEmail': {
    one: '{count} valeur sur {total} est une adresse e-mail',
    other: '{count} valeurs sur {total} sont des adresses e-mail',
  },
  'values.whyEmpty': {
    one: 'La colonne est vide sur {count} ligne',
    other: 'La colonne est vide sur les {count} lignes',
  },
  'values.whyNumber': {
    one: '{count} valeur sur {total} est un nombre',
    other: '{count} valeurs sur {total} sont des nombres',
  },
  'values.whyOptions': {
    one: '{distinct} valeurs différentes sur {count} ligne',
    other: '{distinct} valeurs différentes sur {count} lignes',
  },
  'values.whyPhone': {
    one: '{count} valeur sur {total} est un numéro de téléphone',
    other: '{count} valeurs sur {total} sont des numéros de téléphone',
  },
  'values.whyRequired': { one: 'Jamais vide sur {count} ligne', other: 'Jamais vide sur {count} lignes' },
  'values.whyText': {
    one: 'Textes différents de {count} caractère au plus',
    other: 'Textes différents de {count} caractères au plus',
  },
  'values.whyTime': {
    one: '{count} valeur sur {total} est une heure',
    other: '{count} valeurs sur {total} sont des heures',
  },
  'values.whyUnique': { one: '{count} valeur, sans doublon', other: '{count} valeurs, sans doublon' },
  'values.whyUnit': {
    one: '{count} valeur sur {total} est un nombre en {unit}',
    other: '{count} valeurs sur {total} sont des nombres en {unit}',
  },
  'values.whyUrl': {
    one: '{count} valeur sur {total} est une adresse web',
    other: '{count} valeurs sur {total} sont des adresses web',
  },
}
