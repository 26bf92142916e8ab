import type { actionMessages } from '../../../../schemas/messages/actions.ts'
import type { Text } from '../../../../schemas/messages/format.ts'

export const actions: Record<keyof typeof actionMessages, Text> = {
  'actions.tooLarge': 'ne doit pas dépasser {limit} octets au format JSON',
  'actions.inputRequired': '{field} est obligatoire',
  'actions.inputText': '{field} doit être un texte',
  'actions.inputNumber': '{field} doit être un nombre',
  'actions.inputBoolean': '{field} doit être true ou false',
  'actions.inputDate': '{field} doit être une date',
  'actions.inputList': '{field} doit être une liste',
  'actions.inputOption': '{field} doit être l’une de ces valeurs : {options}',
  'actions.inputOptions': '{field} ne peut contenir que ces valeurs : {options}',

  'actions.cannotRun': 'Impossible d’exécuter {action} : {reason}.',
  'actions.noRecords': 'il n’y a aucun enregistrement',
  'actions.noSelection': 'aucun enregistrement n’est sélectionné (définissez subject.query)',
  'actions.emptySelection': 'la sélection est vide',
  'actions.recordsWithErrors': {
    one: '{count} enregistrement contient des erreurs',
    other: '{count} enregistrements contiennent des erreurs',
  },
  'actions.noColumn': 'aucune colonne n’est sélectionnée (définissez subject.params.columnKey)',
  'actions.unknownColumn': 'il n’y a pas de colonne {column}',
  'actions.readOnlyColumn': 'la colonne {column} est en lecture seule',
}
