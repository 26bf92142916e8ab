import type { fileReadingMessages } from '../../../../schemas/messages/file-reading.ts'
import type { Text } from '../../../../schemas/messages/format.ts'

export const fileReading: Record<keyof typeof fileReadingMessages, Text> = {
  'files.empty': 'Le fichier est vide.',
  'files.blank': 'Le fichier est vide ou ne contient que des espaces.',
  'files.notAWorkbook': 'Le fichier n’est pas un classeur valide.',
  'files.workbookDamaged': 'Le classeur est endommagé à l’octet {byte}.',
  'files.sharedTextsDamaged': 'Les textes du classeur sont endommagés.',
  'files.oldWorkbook':
    'Le classeur a été enregistré par Excel 95 ou une version antérieure. Enregistrez-le au format XLSX et réessayez.',
  'files.xlsTooLarge': 'Un classeur XLS peut avoir au plus {count} octets. Enregistrez-le au format XLSX et réessayez.',
  'files.rowsNotInOrder':
    'La ligne {row} vient après la ligne {previous}. Enregistrez à nouveau le classeur dans un tableur et réessayez.',

  'files.parquetDamaged': 'Le fichier Parquet est endommagé : {problem}.',
  'files.parquetEncrypted': 'Le fichier Parquet est chiffré. Écrivez-le sans chiffrement et chargez ce fichier.',
  'files.notParquet': 'Le fichier n’est pas un fichier Parquet valide.',
  'files.parquetFooterTooLarge':
    'Le pied du fichier Parquet compte {count} octets ; {maximum} au plus sont autorisés. Écrivez moins de groupes de lignes.',
  'files.parquetBufferTooLarge':
    'La lecture du fichier Parquet demande plus de {count} octets de mémoire. Écrivez-le avec des pages ou des groupes de lignes plus petits.',
  'files.arrowDamaged': 'Le fichier Arrow est endommagé : {problem}.',
  'files.notArrow': 'Le fichier n’est pas un fichier Arrow ou Feather valide.',
  'files.arrowOld':
    'Le fichier a une ancienne version d’Arrow ou de Feather. Écrivez-le en Feather version 2 et chargez ce fichier.',
  'files.arrowMetadataTooLarge':
    'Les métadonnées du fichier Arrow comptent {count} octets ; {maximum} au plus sont autorisés. Écrivez moins de colonnes ou de lots d’enregistrements.',
  'files.arrowBufferTooLarge':
    'La lecture du fichier Arrow demande plus de {count} octets de mémoire. Écrivez-le avec des lots d’enregistrements plus petits.',
  'files.columnType': 'La colonne {column} a un type, un encodage ou une compression non pris en charge : {type}.',
  'files.columnValue':
    'Ligne {row} : {column} contient une valeur qui n’est pas du texte, par exemple des données binaires.',
  'files.columnTooDeep': 'La colonne {column} dépasse la limite de {count} niveaux d’imbrication.',
  'files.tooManyTables': 'Le fichier contient plus de {count} tableaux, le maximum par fichier.',
  'files.tooLargeForOneFunction':
    'Un fichier de plus de {count} octets doit être du texte délimité, entièrement en UTF-8.',
  'files.tooManyRows': 'Le tableau contient plus de {count} lignes, le maximum d’une feuille.',
  'files.tooManyColumns': 'Le tableau contient {count} colonnes ; une feuille en a au plus {maximum}.',
  'files.rowTooWide': 'La ligne {row} contient {count} colonnes ; une feuille en a au plus {maximum}.',
  'files.rowTooLarge': 'Une ligne contient plus de {count} octets.',
  'files.headerRowTooFar':
    'La ligne {row} ne peut pas être l’en-tête, car elle ne fait pas partie des {count} premières lignes.',
  'files.headerLinesTooMany': {
    one: 'L’en-tête se termine à la ligne {row} : il ne peut pas avoir {count} ligne.',
    other: 'L’en-tête se termine à la ligne {row} : il ne peut pas avoir {count} lignes.',
  },
  'files.headerRowEmpty': 'La ligne {row} de la feuille {sheet} ne peut pas être l’en-tête, car elle est vide.',

  'files.notText': 'Le fichier n’est pas du texte : il a un contenu binaire à l’octet {byte}.',
  'files.binary': 'Le fichier est {kind}, pas un texte délimité.',
  'files.kindZip': 'une archive ZIP ou un classeur Excel',
  'files.kindLegacyExcel': 'un classeur de l’ancien format Excel',
  'files.kindPdf': 'un document PDF',
  'files.kindGzip': 'une archive gzip',
  'files.kindPng': 'une image PNG',
  'files.kindJpeg': 'une image JPEG',
  'files.kindGif': 'une image GIF',
  'files.kindProgram': 'un programme',
  'files.kindParquet': 'un fichier Parquet',
  'files.kindSqlite': 'une base de données SQLite',
  'files.rowHasNul':
    'La ligne {row} contient un caractère NUL à l’octet {byte}. Le fichier est endommagé ou n’est pas un fichier texte.',
  'files.rowDoesNotEnd': 'La ligne {row} ne se termine pas dans les {count} caractères.',
  'files.undecodableRow':
    'À la ligne {row}, l’octet {byte} n’est pas valide en {encoding}. Enregistrez le fichier en UTF-8 et réessayez.',
  'files.undecodableLine':
    'À la ligne de texte {line}, l’octet {byte} n’est pas valide en {encoding}. Enregistrez le fichier en UTF-8 et réessayez.',
  'files.undecodableRecord':
    'Après l’enregistrement {record}, l’octet {byte} n’est pas valide en {encoding}. Enregistrez le fichier en UTF-8 et réessayez.',

  'files.tooManyWidths': 'dépasse la limite de {count} colonnes par feuille',
  'files.lineTooLong': 'La ligne de texte {line} contient plus de {count} caractères.',
  'files.lineTooWide': 'La ligne de texte {line} est plus longue que les colonnes déclarées et continue par {text}.',

  'files.noRecords': 'Le fichier ne contient aucun enregistrement.',
  'files.jsonEndsEarly': 'Le JSON se termine au milieu de l’enregistrement {record}.',
  'files.invalidJson': 'JSON non valide après l’enregistrement {record}, à l’octet {byte} : {problem}.',
  'files.recordValueTooLong': 'L’enregistrement {record} contient une valeur de plus de {count} caractères.',
  'files.recordListTooLong': 'L’enregistrement {record} contient une liste de plus de {count} caractères.',
  'files.recordTooDeep': 'L’enregistrement {record} dépasse la limite de {count} niveaux d’imbrication.',
  'files.tooManyValues':
    'L’objet le plus externe contient plus de {count} valeurs. Une liste d’enregistrements ou un objet contenant de telles listes est attendu.',
  'files.tooManyRecordColumns':
    'Avec l’enregistrement {record}, il y a {count} colonnes ; une feuille en a au plus {maximum}.',

  'files.invalidXml': 'XML non valide à la ligne {line}, colonne {column} : {problem}',
  'files.unknownEncoding': 'Le XML déclare un encodage inconnu : {encoding}.',
  'files.xmlDocumentType':
    'La ligne {line} contient un type de document (DOCTYPE), qui n’est pas pris en charge, car il peut renvoyer à des entités et à des fichiers externes.',
  'files.xmlTextTooLong': 'La ligne {line} contient une balise ou un texte de plus de {count} caractères.',
  'files.xmlTooDeep': 'La ligne {line} contient des éléments imbriqués sur plus de {count} niveaux.',
  'files.elementTooDeep': 'L’élément {element} dépasse la limite de {count} niveaux d’imbrication.',
  'files.tooManyElements': 'Le XML contient plus de {count} types d’éléments.',
  'files.xmlRecordTooLong': 'Un enregistrement de {element} contient plus de {count} caractères.',

  'files.sheetReason': 'Feuille {sheet} : {reason}',
  'files.pageWithoutTable': 'La page ne contient aucun tableau.',
  'files.pageTooLarge': 'Une page avec des tableaux peut avoir au plus {count} octets.',
  'files.emptyWorkbook': 'Le classeur est vide.',
  'files.tooManySheetsWithData':
    'Le classeur contient plus de {count} feuilles avec des données, le maximum par fichier.',
  'files.tooManySheets': 'Le classeur contient plus de {count} feuilles.',
  'files.tooManyFormats': 'Le classeur contient plus de {count} formats.',
  'files.workbookPartMissing': 'Le classeur est endommagé : {part} est manquant.',
  'files.sheetMissing': 'Le classeur est endommagé : la feuille {sheet} est manquante.',
  'files.sheetShared': 'Le classeur est endommagé : la feuille {sheet} partage son contenu avec une autre feuille.',
  'files.invalidRow': 'Le numéro de ligne {row} n’est pas valide.',
  'files.invalidCell': 'À la ligne {row}, la référence de cellule {cell} n’est pas valide.',
  'files.unknownSharedText': 'La cellule {cell} renvoie au texte partagé {text}, qui n’existe pas dans le classeur.',
  'files.invalidMergedRange': 'La plage {range} de cellules fusionnées n’est pas valide.',
  'files.tooManyMergedCells': 'Il y a plus de {count} cellules fusionnées, le maximum pouvant être rempli.',
  'files.encryptedSpreadsheet':
    'La feuille de calcul est protégée par un mot de passe. Enregistrez-la sans mot de passe et réessayez.',
  'files.passwordRequired': 'Le classeur est protégé par un mot de passe. Déverrouillez-le avec son mot de passe.',
  'files.wrongPassword': 'Le mot de passe est incorrect.',
  'files.notProtected': 'Le fichier n’est pas un classeur protégé par un mot de passe.',
  'files.protectedTooLarge':
    'Un classeur avec mot de passe peut avoir au plus {count} octets. Enregistrez-le sans mot de passe.',
  'files.encryptionDamaged': 'Le chiffrement du classeur est endommagé.',
  'files.encryptionUnsupported': 'Le classeur est chiffré d’une manière qui n’est pas prise en charge : {method}.',
  'files.tooManyPasswordRounds':
    'Le mot de passe du classeur est haché {count} fois ; {maximum} au plus sont autorisées. Enregistrez-le sans mot de passe.',
  'files.repeatedCellsTooLarge': 'Les lignes et cellules répétées de la feuille de calcul dépassent {count} octets.',
  'files.sharedTextsTooLarge':
    'Les textes partagés du classeur dépassent {count} octets. Enregistrez ses feuilles en fichiers CSV.',

  'files.emptyArchive': 'L’archive est vide.',
  'files.archiveWithoutTables': 'L’archive ne contient aucun tableau lisible : {files}.',
  'files.archiveTooLarge': 'L’archive décompressée dépasse {count} octets, le maximum.',
  'files.gzipBomb':
    'Après {count} octets, l’archive décompressée dépasse {ratio} fois sa taille. Elle a été rejetée comme possible bombe ZIP.',
  'files.gzipDamaged': 'L’archive gzip est endommagée : {problem}.',
  'files.notAnArchive': 'Le fichier est endommagé ou n’est pas une archive ZIP : {problem}',

  'files.nestedZip': 'C’est une archive ZIP dans une archive, ce qui n’est pas pris en charge.',
  'files.nestedGzip': 'C’est une archive gzip dans une archive, ce qui n’est pas pris en charge.',
  'files.nestedWorkbooksTooLarge':
    'Avec celui-ci, les classeurs de l’archive dépassent {count} octets au total. Importez-le comme fichier séparé.',
  'files.nestedBomb':
    'Décompressé, il dépasse {ratio} fois sa taille dans l’archive. Il a été rejeté comme possible bombe ZIP.',

  'files.tooManyEntries': 'L’archive contient {count} entrées ; le maximum est de {maximum}.',
  'files.duplicateEntry': 'L’archive contient deux entrées nommées {entry}.',
  'files.overlappingEntries': 'Les entrées {first} et {second} de l’archive se chevauchent.',
  'files.unsafePath': 'L’archive contient une entrée dont le chemin n’est pas sûr ({problem}).',
  'files.symlinkEntry': 'L’entrée {entry} de l’archive est un lien symbolique, ce qui n’est pas pris en charge.',
  'files.encryptedEntry':
    'L’entrée {entry} de l’archive est chiffrée. Enregistrez le fichier sans mot de passe et réessayez.',
  'files.compressionMethod':
    'L’entrée {entry} de l’archive utilise une méthode de compression non prise en charge ({method}).',
  'files.entryTooLarge':
    'L’entrée {entry} de l’archive, décompressée, contient {count} octets ; le maximum est de {maximum}.',
  'files.entryBomb':
    'L’entrée {entry} de l’archive, décompressée, dépasse {ratio} fois sa taille. Elle a été rejetée comme possible bombe ZIP.',
  'files.entryDamaged': 'L’entrée {entry} de l’archive est endommagée : {problem}',
  'files.entryTooLong': {
    one: 'elle contient plus que le {count} octet déclaré',
    other: 'elle contient plus que les {count} octets déclarés',
  },
  'files.entryTooShort': {
    one: 'elle contient {count} octet au lieu des {declared} déclarés',
    other: 'elle contient {count} octets au lieu des {declared} déclarés',
  },
  'files.endsEarly': 'la fin est manquante',
}
