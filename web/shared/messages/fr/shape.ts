import type { Text } from '../../../../schemas/messages/format.ts'
import type { shapeMessages } from '../../../../schemas/messages/shape.ts'

export const shape: Record<keyof typeof shapeMessages, Text> = {
  'shape.required': 'est obligatoire',
  'shape.notValid': 'n’est pas valide',
  'shape.notEmpty': 'ne doit pas être vide',
  'shape.duplicate': 'est un doublon',

  'shape.string': 'doit être un texte',
  'shape.number': 'doit être un nombre',
  'shape.wholeNumber': 'doit être un nombre entier',
  'shape.trueOrFalse': 'doit être true ou false',
  'shape.list': 'doit être une liste',
  'shape.object': 'doit être un objet',
  'shape.null': 'doit être null',
  'shape.date': 'doit être une date',
  'shape.id': 'doit être un identifiant',

  'shape.email': 'doit être une adresse e-mail',
  'shape.url': 'doit être une URL telle que https://example.com/path',
  'shape.dateTime': 'doit être une date et une heure avec fuseau, par exemple 2026-01-31T12:00:00Z',
  'shape.plainDate': 'doit être une date telle que 2026-01-31',
  'shape.pattern': 'doit correspondre au motif {pattern}',

  'shape.exactly': 'doit être exactement {value}',
  'shape.oneOf': 'doit être l’une de ces valeurs : {values}',
  'shape.oneOfSuggestion': 'doit être l’une de ces valeurs : {values}. Vouliez-vous dire {suggestion} ?',
  'shape.unknownProperties': 'a des propriétés inconnues : {names}',
  'shape.unknownName': 'n’est pas un nom connu. Vouliez-vous dire {suggestion} ?',
  'shape.protoKey': 'n’est pas autorisé comme clé',

  'shape.charactersAtLeast': {
    one: 'doit comporter au moins {count} caractère',
    other: 'doit comporter au moins {count} caractères',
  },
  'shape.charactersAtMost': {
    one: 'doit comporter au plus {count} caractère',
    other: 'doit comporter au plus {count} caractères',
  },
  'shape.entriesAtLeast': {
    one: 'doit comporter au moins {count} élément',
    other: 'doit comporter au moins {count} éléments',
  },
  'shape.entriesAtMost': {
    one: 'doit comporter au plus {count} élément',
    other: 'doit comporter au plus {count} éléments',
  },
  'shape.bytesAsJson': 'ne doit pas dépasser {count} octets en JSON',
  'shape.atLeast': 'doit être au moins {limit}',
  'shape.moreThan': 'doit être supérieur à {limit}',
  'shape.atMost': 'doit être au plus {limit}',
  'shape.lessThan': 'doit être inférieur à {limit}',
  'shape.multipleOf': 'doit être un multiple de {divisor}',
  'shape.digits': 'doit être composé de {count} chiffres',
  'shape.timetoken': 'doit être un timetoken : {count} chiffres',
  'shape.moreProblems': { one: 'a {count} autre problème', other: 'a {count} autres problèmes' },
}
