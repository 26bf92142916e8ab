import type { Text } from '../../../../schemas/messages/format.ts'
import type { jobMessages } from '../../../../schemas/messages/jobs.ts'

export const jobs: Record<keyof typeof jobMessages, Text> = {
  'jobs.recordsDeleted': { one: '{count} enregistrement supprimé', other: '{count} enregistrements supprimés' },
  'jobs.recordsDeletedFrom': {
    one: '{count} enregistrement supprimé de {sheet}.',
    other: '{count} enregistrements supprimés de {sheet}.',
  },
  'jobs.deletionFinished': 'Enregistrements supprimés',
  'jobs.deletingRecords': 'Suppression des enregistrements',
  'jobs.recordsChanged': { one: '{count} enregistrement modifié', other: '{count} enregistrements modifiés' },
  'jobs.recordsChangedIn': {
    one: '{count} enregistrement modifié dans {sheet}.',
    other: '{count} enregistrements modifiés dans {sheet}.',
  },
  'jobs.changeFinished': 'Enregistrements modifiés',
  'jobs.changingRecords': 'Modification des enregistrements : {count} traités',
  'jobs.replacingValues': 'Remplacement des valeurs',
  'jobs.open': 'Ouvrir {name}',
  'jobs.sheetLocked': 'La feuille {sheet} est verrouillée. Déverrouillez-la et réessayez.',
  'jobs.nothingToUndo':
    'La tâche n’a pas d’import à annuler : seule une association terminée qui a écrit des enregistrements en a un.',
  'jobs.importUndone': 'L’import a été annulé',
  'jobs.noPreview': 'Les tâches avec l’opération {operation} n’ont pas d’aperçu.',

  'jobs.extracting': 'Lecture de {file}',
  'jobs.rowsExtracted': { one: '{count} ligne extraite', other: '{count} lignes extraites' },
  'jobs.rowsRead': { one: '{file} : {count} ligne lue.', other: '{file} : {count} lignes lues.' },
  'jobs.withSkipped': '{result} Ignorés : {names}.',
  'jobs.withMixedEncodings': {
    one: '{result} ({count} ligne lue en {encoding}, les autres en {main})',
    other: '{result} ({count} lignes lues en {encoding}, les autres en {main})',
  },
  'jobs.withSplitSheets':
    '{result} (plusieurs tableaux d’une même feuille sont devenus des feuilles séparées : {names})',
  'jobs.withRepeatedHeaders': {
    one: '{result} ({count} en-tête répété ignoré)',
    other: '{result} ({count} en-têtes répétés ignorés)',
  },
  'jobs.extractionFinished': 'Fichier extrait',
  'jobs.recordsExported': { one: '{count} enregistrement exporté', other: '{count} enregistrements exportés' },
  'jobs.recordsInFile': { one: '{count} enregistrement dans {file}.', other: '{count} enregistrements dans {file}.' },
  'jobs.exportFinished': 'Exportation terminée',
  'jobs.exportProgress': {
    one: '{done} enregistrement écrit sur {count}',
    other: '{done} enregistrements écrits sur {count}',
  },
  'jobs.workbookWithoutSheets': 'Le classeur ne contient aucune feuille.',
  'jobs.filesPacked': { one: '{count} fichier empaqueté', other: '{count} fichiers empaquetés' },
  'jobs.agentVersionExported': {
    one: 'Version {version} de {agent} exportée : {count} fichier',
    other: 'Version {version} de {agent} exportée : {count} fichiers',
  },
  'jobs.agentFiles': { one: '{agent} : {count} fichier.', other: '{agent} : {count} fichiers.' },
  'jobs.bundleInsteadOfSources':
    '{result} La source map ne contient aucune source ; l’archive contient le bundle à la place.',
  'jobs.agentExportFinished': 'Agent exporté',

  'jobs.submitted': 'Envoyé',
  'jobs.recordsSubmitted': { one: '{count} enregistrement envoyé', other: '{count} enregistrements envoyés' },
  'jobs.submittedAndLocked': {
    one: '{count} enregistrement a été envoyé. Il ne peut plus être modifié ici.',
    other: '{count} enregistrements ont été envoyés. Ils ne peuvent plus être modifiés ici.',
  },
  'jobs.downloadCopy': 'Télécharger une copie',
  'jobs.noSubmitAction': 'Le classeur n’a aucune action avec l’opération submit-and-lock.',
  'jobs.alreadySubmitted': 'Ces données ont déjà été envoyées.',

  'jobs.failed': 'La tâche a échoué',
  'jobs.tryAgain': 'Réessayer',
  'jobs.unexpectedFailure': 'Une erreur s’est produite de notre côté. Réessayez plus tard.',
  'jobs.timeLimitExceeded':
    'La tâche a dépassé la durée maximale d’une exécution. Répartissez les données en lots plus petits.',
  'jobs.noListener': {
    one: 'Aucun listener n’a pris en charge la tâche en {count} heure. Démarrez un listener pour {operation}.',
    other: 'Aucun listener n’a pris en charge la tâche en {count} heures. Démarrez un listener pour {operation}.',
  },
  'jobs.noSignOfLife': {
    one: 'La tâche n’a donné aucun signe d’activité depuis {count} heure. Son listener s’est probablement arrêté.',
    other: 'La tâche n’a donné aucun signe d’activité depuis {count} heures. Son listener s’est probablement arrêté.',
  },
  'jobs.noSignOfLifePastEstimate': {
    one: 'La tâche n’a donné aucun signe d’activité pendant {count} heure après la fin prévue. Son listener s’est probablement arrêté.',
    other:
      'La tâche n’a donné aucun signe d’activité pendant {count} heures après la fin prévue. Son listener s’est probablement arrêté.',
  },
  'jobs.predecessorEnded': 'Le prédécesseur {job} a le statut {status}.',
  'jobs.predecessorRemoved': 'Le prédécesseur {job} a été supprimé.',
  'jobs.parentEnded': 'La tâche parente a le statut {status}.',
  'jobs.scheduleRemoved': 'L’action n’a plus cette planification.',

  'jobs.retryFirst': '{job} a le statut {status} ; relancez-la d’abord',
  'jobs.tooManySuccessors': '{job} a déjà {count} successeurs, le maximum',
  'jobs.wrongStatus': 'La tâche a le statut {status}. « {trigger} » n’est possible qu’avec : {states}.',
  'jobs.statusNotSettable': 'ne peut pas prendre la valeur {status}',
  'jobs.statusWhenScheduling': 'ne peut pas être {status} lors de la planification d’une tâche ; omettez-le',
  'jobs.notForeground':
    'Seul le résultat d’une tâche en mode foreground peut être confirmé ; celle-ci est en mode {mode}.',
  'jobs.notWithImmediate': 'ne peut pas être combiné avec le trigger "immediate"',
  'jobs.notWithPlan': 'ne peut pas être combiné avec un plan : chaque répétition aurait besoin du sien',
  'jobs.notItsEnvironment': 'n’est pas l’environnement de la source de la tâche ; omettez-le',
  'jobs.tooLarge':
    'Une tâche est limitée à {limit} octets, y compris config, input, metadata et outcome ; celle-ci en compte {count}. Enregistrez les données dans un fichier ou des enregistrements et faites-y référence.',
  'jobs.splitTooLarge':
    'Les parties d’une tâche sont limitées à {limit} octets au total, y compris les copies de input, config et metadata ; celles-ci en comptent {count}. Enregistrez les données dans un fichier ou des enregistrements et faites-y référence.',
  'jobs.platformJobNotSplittable':
    '{operation} est exécutée par la plateforme. Seules les tâches des listeners peuvent être divisées.',
  'jobs.waitsForPredecessors': 'La tâche attend ses prédécesseurs. Divisez-la lorsqu’elle sera prête.',
  'jobs.downloadAddress': 'doit être {filePath}, {sheetPath} ou une adresse https complète',
  'jobs.pageAddress': 'doit être une adresse http ou https complète, ou un chemin qui commence par un seul /',
  'jobs.outcomeTrigger':
    'doit être manual, automatic ou automatic_silent, ou un objet dont type a l’une de ces valeurs',
  'jobs.unknownField': 'il n’y a pas de champ {field}',
  'jobs.tooManyForWorksheet':
    'Une feuille de calcul contient au plus {count} enregistrements. Exportez en CSV, JSON Lines ou Parquet.',
  'jobs.commentsNeedWorkbook': 'seuls XLSX et ODS ont des commentaires',
  'jobs.unknownSheetField': 'la feuille n’a pas de champ {field}',
  'jobs.sameSheet': 'doit être une feuille différente de la source',
  'jobs.sheetRequired': 'est obligatoire, car la source de la tâche n’est pas une feuille',
}
