import type { fileMessages } from '../../../../schemas/messages/files.ts'
import type { Text } from '../../../../schemas/messages/format.ts'

export const files: Record<keyof typeof fileMessages, Text> = {
  'files.reason': '{file} : {reason}',
  'files.internalError': 'Une erreur interne est survenue. Réessayez plus tard d’extraire le fichier.',

  'files.nameHasSlashes': 'ne doit contenir ni barres obliques ni caractères de contrôle',
  'files.nameHasBidi': 'ne doit pas contenir de caractères de contrôle du sens d’écriture',
  'files.invalidName': 'a un nom de fichier non valide : {problem}',
  'files.invalidPrefix': 'produit un nom de fichier non valide : {problem}',

  'files.environmentMismatch': 'ne correspond pas à l’environnement de l’espace',
  'files.spaceRequired': 'est obligatoire, car ce jeton n’est pas limité à un seul environnement',
  'files.workbookElsewhere': 'n’est pas un classeur du même espace',
  'files.statusReasonNotAllowed': 'n’est autorisé qu’avec `status` `failed`',
  'files.stillUploading': 'Le fichier est encore en cours de chargement.',
  'files.stillReading': 'Le fichier est encore en cours de lecture. Réessayez ensuite.',
  'files.size': { one: 'Le fichier contient {count} octet.', other: 'Le fichier contient {count} octets.' },

  'files.exceedsBytes': 'dépasse la limite de {count} octets',
  'files.tooLarge': 'Un fichier peut contenir au plus {count} octets.',
  'files.wrongUploadSize': {
    one: '{count} octet du chargement a été reçu au lieu de {expected}.',
    other: '{count} octets du chargement ont été reçus au lieu de {expected}.',
  },
  'files.nothingUploaded': 'Aucun octet n’a été reçu. Envoyez-les d’abord avec PUT à l’URL de chargement.',
  'files.partsRequired': 'doit énumérer chaque partie avec son etag',
  'files.invalidParts': 'Les parties ne forment pas un fichier valide : {problem}',

  'files.formRequired': 'doit être multipart/form-data',
  'files.fileRequired': 'est manquant',
  'files.severalFiles': 'doit être exactement un fichier par requête, reçus : {count}',
  'files.invalidForm': 'n’est pas un formulaire valide : {problem}',
  'files.tooManyFormFields': 'dépasse la limite de {count} champs',

  'files.requiredForAlgorithm': 'est obligatoire pour l’algorithme {algorithm}',
  'files.rowNotInData': 'la ligne {row} n’existe pas dans les données',

  'files.previewTooLarge': 'Les classeurs de plus de {count} octets n’ont pas d’aperçu.',
  'files.cellTooLong':
    'Feuille {sheet}, ligne {row} : {column} dépasse la limite des tableurs de {count} caractères par cellule. Exportez en CSV ou JSON.',
  'files.tooManyComments':
    'La feuille {sheet} a des messages dans plus de {count} cellules, ou trop longs. Sélectionnez moins d’enregistrements ou exportez avec une colonne de messages au lieu de commentaires.',

  'files.supportedTypes':
    '{explanation} Fichiers pris en charge : CSV, TSV, PSV, TXT, XLSX, XLSM, XLSB, XLS, ODS, PARQUET, ARROW, FEATHER, JSON, JSONL, XML, HTML, ainsi que leurs archives ZIP ou GZ.',
  'files.unsupportedType': 'Les fichiers de type {type} ne sont pas pris en charge.',
  'files.noExtension':
    'Le nom du fichier n’a pas d’extension permettant d’identifier son type. Ajoutez l’extension et chargez de nouveau le fichier.',
  'files.appleNumbers':
    'Les fichiers Apple Numbers ({type}) ne sont pas pris en charge. Exportez le tableau au format XLSX ou CSV et chargez ce fichier.',
  'files.document':
    'Les documents ({type}) ne sont pas pris en charge. Copiez le tableau dans un tableur, enregistrez-le au format XLSX ou CSV et chargez ce fichier.',
  'files.otherArchive':
    'Les archives de type {type} ne sont pas prises en charge. Recompressez les fichiers en ZIP et chargez ce fichier.',
}
