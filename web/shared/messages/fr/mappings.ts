import type { Text } from '../../../../schemas/messages/format.ts'
import type { mappingMessages } from '../../../../schemas/messages/mappings.ts'

export const mappings: Record<keyof typeof mappingMessages, Text> = {
  'mappings.allRequiredMapped': 'Tous les champs obligatoires sont associés',
  'mappings.requiredUnmapped': 'Champs obligatoires non associés : {fields}',
  'mappings.recordsMapped': { one: '{count} enregistrement transféré', other: '{count} enregistrements transférés' },
  'mappings.recordsMappedTo': {
    one: '{count} enregistrement transféré de {source} vers {destination}.',
    other: '{count} enregistrements transférés de {source} vers {destination}.',
  },
  'mappings.progress': {
    one: '{done} enregistrement transféré sur {count}',
    other: '{done} enregistrements transférés sur {count}',
  },
  'mappings.finished': 'Données transférées',
  'mappings.importedByKey': 'Créés : {created}, modifiés : {updated}, inchangés : {unchanged}, ignorés : {skipped}',
  'mappings.importedReplacing': 'Créés : {created}, supprimés : {deleted}',
  'mappings.rowsSkipped': 'Lignes ignorées de {source} : {emptyKey} sans clé, {noRecord} sans enregistrement.',
  'mappings.totalsLeftOut': 'Lignes omises car ce sont des totaux : {count} (lignes {rows}).',
  'mappings.carriedOverLeftOut': 'Lignes omises car ce sont des reports : {count} (lignes {rows}).',
  'mappings.pageHeadingsLeftOut': 'Lignes omises car ce sont des en-têtes de page : {count} (lignes {rows}).',
  'mappings.singleTextsLeftOut': 'Lignes omises car ce sont des titres ou des notes : {count} (lignes {rows}).',
  'mappings.onlyAtTopLevel': 'n’est possible qu’au premier niveau d’un programme',
  'mappings.keyRequired': 'est obligatoire pour le mode {mode} : indiquez les champs qui identifient un enregistrement',
  'mappings.keyNotUsed': 'n’est utilisé que par les modes {modes}',
  'mappings.keyNotMapped': 'Le champ clé {field} n’est pas associé. Associez-lui une colonne.',
  'mappings.nothingMapped':
    'Aucun champ de {source} n’est associé à un champ de {destination}. Associez-en au moins un.',
  'mappings.ruleDoesNotFit': 'Les règles ne correspondent pas aux feuilles : {rule} {problem}',
  'mappings.rulesDoNotFit': { one: '{first} ({count} autre problème)', other: '{first} ({count} autres problèmes)' },
  'mappings.edgeFillsField': 'une autre association remplit déjà le champ {field}',
  'mappings.noPlan': 'La tâche n’a pas encore de plan : elle le reçoit à son démarrage.',
  'mappings.invalidPreview': 'doit être le jeton d’un aperçu de cette tâche',
  'mappings.planChanged': 'Le plan a changé depuis l’aperçu',
  'mappings.recordsChanged': 'Des enregistrements de {sheet} ont changé depuis l’aperçu',
  'mappings.fieldsChanged': 'Des champs de {sheet} ont changé depuis l’aperçu',
  'mappings.linkedRecordsChanged': 'Des enregistrements auxquels {sheet} fait référence ont changé depuis l’aperçu',
  'mappings.previewIncomplete': {
    one: 'Les {done} premiers de {count} enregistrement ont été comptés : un aperçu compte pendant {seconds} secondes.',
    other:
      'Les {done} premiers de {count} enregistrements ont été comptés : un aperçu compte pendant {seconds} secondes.',
  },

  'mappings.nestNotSupported':
    'nest crée des enregistrements dans des cellules, ce que les feuilles ne permettent pas : utilisez array ou une feuille distincte',
  'mappings.astNotSupported':
    'les règles ast ne sont pas prises en charge : utilisez arithmetic, interpolate ou une tâche workbook:mutate-records',
  'mappings.tooManyRules': 'compte {count} règles ; un programme en a au plus {limit}',
  'mappings.notARule': 'doit être une règle : {example}',
  'mappings.unknownRuleType': 'doit être l’une de ces valeurs : {types}',
  'mappings.nestedTooDeep': {
    one: 'est imbriqué dans plus de {count} sous-programme',
    other: 'est imbriqué dans plus de {count} sous-programmes',
  },
  'mappings.unknownSourceField': 'la source n’a pas de champ {field}',
  'mappings.unknownDestinationField': 'la destination n’a pas de champ {field}',
  'mappings.ruleFillsField': 'la règle remplit déjà le champ {field}',
  'mappings.tooFewGroups': {
    one: 'compte {fields} champs, mais le motif n’a que {count} groupe',
    other: 'compte {fields} champs, mais le motif n’a que {count} groupes',
  },
  'mappings.invalidPattern': 'n’est pas un motif valide : {reason}',
  'mappings.unknownPlaceholder': {
    one: '{placeholder} n’est pas un champ source : il y en a {count}, à partir de {first}',
    other: '{placeholder} n’est pas un champ source : il y en a {count}, à partir de {first}',
  },
  'mappings.formatRequired': 'est obligatoire si formats n’est pas défini',
  'mappings.invalidDateFormat': 'n’est pas un format de date valide : {reason}',
  'mappings.datePartTwice': 'contient deux fois la même partie d’une date',
  'mappings.formatWithoutDay': 'ne contient pas de jour : utilisez par exemple dd.MM.yyyy, M/d/yy ou d LLLL yyyy',
  'mappings.filterBeforeValidation': 'ne peut pas utiliser "is {state}" : les filtres s’exécutent avant la validation',
  'mappings.invalidLanguageTag': 'doit être un code de langue tel que {example}',

  'mappings.unexpectedCharacter': 'caractère inattendu à la position {position} : {character}',
  'mappings.expectedInEquation': '{expected} attendu au caractère {position}, et non {found}',
  'mappings.endOfEquation': 'la fin',
  'mappings.operand': 'un nombre, un champ ou une parenthèse',
  'mappings.operator': 'un opérateur ou la fin',
  'mappings.unknownEquationField': '{name} au caractère {position} n’est pas l’un des champs source',
  'mappings.wrongArgumentCount': {
    one: '{name} au caractère {position} prend {count} nombre',
    other: '{name} au caractère {position} prend {count} nombres',
  },
  'mappings.wrongArgumentRange': '{name} au caractère {position} prend de {minimum} à {maximum} nombres',
  'mappings.equationTooDeep': 'les parenthèses et les signes sont imbriqués sur plus de {count} niveaux',

  'mappings.sideRequired': 'est obligatoire',
  'mappings.sideRequiredUnless': 'est obligatoire si {property} n’est pas indiqué',
  'mappings.differentSpaces': 'doit se trouver dans le même espace que la source',
}
