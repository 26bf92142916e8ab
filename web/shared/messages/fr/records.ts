import type { Text } from '../../../../schemas/messages/format.ts'
import type { recordMessages } from '../../../../schemas/messages/records.ts'

export const records: Record<keyof typeof recordMessages, Text> = {
  'records.required': 'Ce champ est obligatoire',
  'records.notUnique': 'Cette valeur n’est pas unique',
  'records.combinationNotUnique': 'Cette combinaison de valeurs n’est pas unique',
  'records.unlinked': 'Cette valeur n’existe pas dans la feuille référencée',
  'records.notOption': 'Cette valeur ne fait pas partie des options',

  'records.patternMismatch': 'Cette valeur n’a pas le format requis',
  'records.tooShort': {
    one: 'Cette valeur doit avoir au moins {count} caractère',
    other: 'Cette valeur doit avoir au moins {count} caractères',
  },
  'records.tooLong': {
    one: 'Cette valeur peut avoir au plus {count} caractère',
    other: 'Cette valeur peut avoir au plus {count} caractères',
  },
  'records.mustBeLess': 'Cette valeur doit être inférieure à {limit}',
  'records.mustBeAtMost': 'Cette valeur doit être au plus {limit}',
  'records.mustBeMore': 'Cette valeur doit être supérieure à {limit}',
  'records.mustBeAtLeast': 'Cette valeur doit être au moins {limit}',
  'records.mustEqual': 'Cette valeur doit être égale à {limit}',
  'records.mustDiffer': 'Cette valeur doit être différente de {limit}',
  'records.valueNotAllowed': 'Cette valeur ne fait pas partie des valeurs autorisées',
  'records.notEmail': 'Cette valeur n’est pas une adresse e-mail',
  'records.notUrl': 'Cette valeur n’est pas une adresse web : utilisez la forme https://example.com',
  'records.notUuid': 'Cette valeur n’est pas un UUID',
  'records.notPhone':
    'Cette valeur n’est pas un numéro de téléphone valide : commencez par le pays, par exemple +1, ou utilisez la forme du pays',
  'records.requiredWith': 'Ce champ est obligatoire avec {fields}',
  'records.requiredIf': 'Ce champ est obligatoire pour cet enregistrement',
  'records.formerRule': 'Une ancienne règle de la feuille a rejeté cette valeur',

  'records.notNumber':
    'Cette valeur n’est pas un nombre : utilisez uniquement des chiffres, un point décimal et un signe moins, par exemple -1234.5',
  'records.numberTooLong':
    'Ce nombre comporte trop de chiffres pour être enregistré exactement : utilisez plutôt un champ de texte',
  'records.notBoolean': 'Cette valeur n’est pas un booléen : utilisez true ou false',

  'records.notDate': 'Cette valeur n’est pas une date : utilisez le format AAAA-MM-JJ',
  'records.ambiguousDate':
    'Cette date est ambiguë, car le jour et le mois pourraient être inversés : utilisez le format AAAA-MM-JJ',
  'records.impossibleDate': 'Cette date n’existe pas : utilisez une date valide au format AAAA-MM-JJ',
  'records.dateWithTime':
    'Cette valeur contient une heure, mais le champ n’enregistre que des dates : utilisez le format AAAA-MM-JJ',
  'records.shortYear':
    'Cette date est ambiguë, car l’année comporte moins de quatre chiffres : utilisez le format AAAA-MM-JJ',

  'records.notText': 'Cette valeur n’est pas du texte',
  'records.textTooLong': 'Ce texte dépasse {count} octets',
  'records.notList': 'Cette valeur n’est pas une liste',
  'records.invalidListEntry': 'Une liste ne peut contenir que du texte, des nombres et des booléens',
  'records.listTooLong': 'Une liste peut contenir au plus {count} valeurs',

  'records.sheetFull': {
    one: 'Une feuille peut contenir au plus {count} enregistrement ; celle-ci en contient {current}.',
    many: 'Une feuille peut contenir au plus {count} d’enregistrements ; celle-ci en contient {current}.',
    other: 'Une feuille peut contenir au plus {count} enregistrements ; celle-ci en contient {current}.',
  },
  'records.insertTooLarge': 'Vous pouvez insérer au plus {count} enregistrements par requête.',
  'records.rowTooLarge': '{part} de la ligne {row} dépasse la limite de {count} octets.',
  'records.recordTooLarge': '{part} de l’enregistrement {record} dépasse la limite de {count} octets.',
  'records.linksTooLarge':
    'Les enregistrements liés d’une page peuvent occuper au plus {count} octets. Demandez une page plus petite.',
  'records.sheetLocked': 'La feuille {sheet} est verrouillée : déverrouillez-la pour modifier ses enregistrements.',
  'records.keysRepeatedInRows': 'Clés présentes dans plusieurs lignes de la source : {keys}, par exemple {examples}.',
  'records.keysRepeatedInRecords':
    'Clés de la source présentes dans plusieurs enregistrements : {keys}, par exemple {examples}.',
  'records.keysKeepChanging': 'Les enregistrements n’ont cessé de changer pendant l’import. Réessayez plus tard.',
  'records.fieldsChangedDuringImport': 'Les champs de la feuille ont été modifiés pendant l’importation. Relancez-la.',
  'records.changedSincePreview': 'La feuille a été modifiée depuis l’aperçu. Demandez un nouvel aperçu et réessayez.',

  'records.noField': 'La feuille n’a pas de champ « {field} ».',
  'records.noCommit': 'La feuille n’a pas de commit « {commit} ».',
  'records.rowWithoutId': 'doit être une position dans ids, qui a {count} éléments',
  'records.notOneValuePerRow': 'doit avoir une valeur par ligne : {count}',
  'records.partIncomplete': 'est nécessaire pour sélectionner une partie d’un commit',
  'records.partTooHigh': 'ne doit pas dépasser le nombre de parties, {count}',
  'records.noVersion': 'La feuille n’a pas de version {version}.',
  'records.idsEmpty': 'doit contenir au moins un enregistrement',
  'records.updatesEmpty': 'doit indiquer au moins un champ',

  'records.invalidCellValue': 'doit être une chaîne, un nombre, true, false, null ou une liste de ces valeurs',
  'records.notCell': 'n’est pas une cellule : une cellule est une valeur, ou un objet tel que {example}',
  'records.isCell': 'est une cellule',
  'records.unknownCellProperties':
    'comporte des propriétés inconnues : {properties}. Une cellule est une valeur, ou un objet tel que {example}',
  'records.unknownRecordProperties':
    'comporte des propriétés inconnues : {properties}. Placez les cellules dans « values », comme dans {example}',
  'records.andMore': '{list} et {count} de plus',
  'records.idAssigned': 'est attribué par la plateforme : omettez-le ou modifiez l’enregistrement existant avec PUT',
  'records.nestedValues': 'n’est pas un champ de cette feuille ; un enregistrement est {flat} ou {nested}',
  'records.reservedKey': 'ne doit pas être __proto__',

  'records.queryError': 'À la colonne {column} : {problem}',
  'records.queryTooLong': 'Une requête peut contenir au plus {count} caractères.',
  'records.queryTooDeep': 'une requête peut comporter au plus {count} niveaux d’imbrication.',
  'records.patternTooLong': 'un motif contenant « _ » peut comporter au plus {count} caractères.',
  'records.quoteNotClosed': 'le guillemet {quote} n’est pas fermé.',
  'records.parenthesisNotOpened': 'cette parenthèse n’a pas été ouverte.',
  'records.parenthesisNotClosed': 'cette parenthèse n’est pas fermée.',
  'records.expectedEnd':
    '« and », « or » ou la fin attendus, et non « {found} » ; un texte contenant des espaces doit être entre guillemets.',
  'records.expectedParenthesis': '« and », « or » ou « ) » attendus, et non « {found} ».',
  'records.expectedField': 'un champ ou un opérateur attendu, et non « {found} ».',
  'records.expectedFieldAtEnd': 'un champ ou un opérateur attendu.',
  'records.expectedOperator': 'un opérateur ({operators}, is) attendu après « {text} ».',
  'records.expectedValue': 'une valeur attendue après « {text} » ; mettez and, or, not et les signes entre guillemets.',
  'records.expectedState': 'un élément parmi {states} attendu après « is ».',
  'records.unknownQueryField': 'la feuille n’a pas de champ « {field} ».',

  'records.lineTooLong': 'La ligne {line} dépasse {count} octets.',
  'records.lineNotUtf8': 'n’est pas encodée en UTF-8',
  'records.lineNotObject': 'n’est pas un objet JSON',
  'records.lineWithoutId': 'contient __d mais pas __k : ajoutez l’identifiant de l’enregistrement à supprimer',
  'records.lineKeyNotText': '{key} n’est pas une chaîne non vide',
  'records.lineKeyNotBoolean': '{key} n’est ni true ni false',
  'records.lineKeyNotObject': '{key} n’est pas un objet',
  'records.lineKeyNotCell': '{key} est un objet mais pas une cellule : il ne contient ni value ni messages',
  'records.lineUnknownProperty': '{key} contient {property}, qui n’est pas une propriété de cellule',
  'records.lineNumberTooLarge': '{key} est un nombre trop grand',
  'records.lineNotMessages': '{key} n’est pas une liste de messages',
  'records.lineMessageWithoutField': '__i contient un message sans champ',
  'records.lineKeyProblem': '« {key} » {problem}',

  'records.sheetRequired': 'est obligatoire, sauf si workbookId et sheetSlug sont indiqués',
  'records.otherSheet': 'désigne une autre feuille que {sheet} ; une requête ne peut écrire que dans une seule feuille',
  'records.snapshotsNotAllowed': 'Ce jeton n’est pas autorisé à créer des instantanés.',
  'records.beforeJsonLines': 'Avant une écriture JSON Lines',
  'records.onlyCsv': 'doit être csv : utilisez une tâche `sheet:export` pour xlsx, json et jsonl',

  'records.fieldExists': 'La feuille a déjà un champ {field}.',
  'records.tooManyFields': 'ne peut pas être ajouté : une feuille peut contenir au plus {count} champs',
  'records.duplicateFieldKey': 'est la clé de deux champs : {key}',
  'records.sheetConfigTooLarge': 'la configuration d’une feuille peut occuper au plus {count} octets',
  'records.duplicateSlug': 'est utilisé par deux feuilles : {slug}',
  'records.slugTaken': 'Deux feuilles du classeur auraient le slug {slug}.',
  'records.noSheet': 'n’est pas une feuille du classeur : {sheet}.',
  'records.noSheetButSimilar': 'n’est pas une feuille du classeur : {sheet}. Vouliez-vous dire {suggestion} ?',
  'records.noReferencedField': 'n’est pas un champ de la feuille {sheet} : {field}.',
  'records.noReferencedFieldButSimilar':
    'n’est pas un champ de la feuille {sheet} : {field}. Vouliez-vous dire {suggestion} ?',
  'records.sheetProblem': '{path} de la feuille {sheet} : {problem}',
  'records.sheetTooLargeToCopy':
    'La feuille {sheet} est trop volumineuse pour être copiée en une seule requête. Créez une feuille avec les mêmes champs et remplissez-la avec une tâche workbook:map.',

  'records.invalidPattern': 'n’est pas un motif RE2 valide : {reason}',
  'records.patternTooComplex': 'est trop complexe : le motif donne {size} étapes ; {count} au plus sont possibles',
  'records.boundMissing': 'a besoin d’au moins un de ces éléments : {names}',
  'records.boundTwice': '{first} et {second} ne peuvent pas être combinés',
  'records.boundsEmpty': 'n’autorise aucune valeur : la limite inférieure dépasse la limite supérieure',
  'records.boundNotNumber': 'doit être un nombre, car le champ est un nombre',
  'records.boundNotDate': 'doit être une date de la forme AAAA-MM-JJ, car le champ est une date',
  'records.rangeOfText': 'n’est possible que pour les champs de type number et date',
  'records.unknownCountry':
    'n’est pas un pays avec des numéros de téléphone : {country}. Utilisez deux lettres, par exemple DE',
  'records.countryTwice': 'ne peut pas être combiné avec country',
  'records.ruleOfItself': 'doit nommer un autre champ que {field}',
  'records.notComparable': 'Ces champs ne peuvent pas être comparés : {field} est {type}, {other} est {otherType}',
  'records.listNotComparable': 'ne peut pas être comparé, car il contient des listes : {field}',
  'records.invalidCondition': 'n’est pas une requête valide. {problem}',
  'records.conditionWithoutField': 'doit nommer un champ dans chaque comparaison',
  'records.conditionOfState': 'ne peut pas dépendre des messages : seul « is empty » est possible, pas « is {state} »',
  'records.tooManyRules':
    'Une feuille peut avoir au plus {count} règles sur plusieurs champs ; celle-ci en a {current}.',

  'records.otherWorkbook':
    'ne correspond pas au classeur de la feuille ; les feuilles ne peuvent pas être déplacées vers un autre classeur',
  'records.otherSpace':
    'ne correspond pas à l’espace du classeur ; les classeurs ne peuvent pas être déplacés vers un autre espace',
  'records.otherEnvironmentThanSpace': 'ne correspond pas à l’environnement de l’espace',
  'records.otherEnvironmentThanWorkbook': 'ne correspond pas à l’environnement du classeur',
  'records.spaceRequired': 'est obligatoire, car ce jeton n’est pas limité à un seul environnement',
  'records.tooManyViews': 'Cette feuille a déjà {count} vues, le nombre maximal.',
  'records.viewKeysTooLong': 'peut contenir au plus {count} caractères au total',
  'records.nothingToUndo': 'La modification ne peut pas être annulée.',
  'records.undoChangedBy':
    '{actor} a changé depuis les mêmes enregistrements : {updated} modifiés, {deleted} supprimés.',
  'records.undoExamples': 'Par exemple : {examples}.',
  'records.undoTooLarge':
    'La modification a touché plus de {limit} enregistrements et {actors} a écrit depuis d’autres enregistrements : elle ne peut plus être annulée.',
}
