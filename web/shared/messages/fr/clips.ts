import type { clipMessages } from '../../../../schemas/messages/clips.ts'
import type { Text } from '../../../../schemas/messages/format.ts'

export const clips: Record<keyof typeof clipMessages, Text> = {
  'clips.merged': 'L’extrait {clip} est fusionné et ne peut plus être modifié.',
  'clips.unknownCollaborator':
    '{name} n’est ni une adresse e-mail ni l’identifiant d’un utilisateur ou d’un invité connu',

  'clips.recordsRequired': 'est obligatoire, sauf si des paramètres de requête sélectionnent des enregistrements',
  'clips.recordsOrParameters': 'ne peut pas être combiné avec des paramètres qui sélectionnent des enregistrements',
  'clips.tooManyAdditions': 'Des enregistrements peuvent être ajoutés à un extrait au plus {count} fois.',
  'clips.tooManyRanges':
    'Les enregistrements sélectionnés se trouvent dans {count} plages de lignes distinctes, au-delà de la limite de {limit}. Copiez moins d’enregistrements à la fois.',
  'clips.copiedConcurrently':
    'Une autre requête a copié certains de ces enregistrements en même temps. Répétez la requête.',
  'clips.deletedConcurrently': 'Des enregistrements de la source ont été supprimés en même temps. Répétez la requête.',

  'clips.conflicts': {
    one: '{count} enregistrement présente des conflits. Résolvez-les d’abord avec {endpoint}.',
    many: '{count} d’enregistrements présentent des conflits. Résolvez-les d’abord avec {endpoint}.',
    other: '{count} enregistrements présentent des conflits. Résolvez-les d’abord avec {endpoint}.',
  },
  'clips.tooManyDecisions':
    'Un extrait peut comporter au plus {count} décisions ; celui-ci en aurait {current}. Fusionnez l’extrait ou actualisez ses résolutions.',
  'clips.recordNotDifferent': 'l’enregistrement {record} ne diffère pas de la source',
  'clips.fieldNotDifferent': '{field} de {record} ne diffère pas de la source',
  'clips.fieldChanged': '{field} de {record} a changé. Rechargez les résolutions.',
  'clips.invalidChoice': 'doit être un élément parmi {choices}',
}
