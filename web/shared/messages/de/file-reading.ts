import type { fileReadingMessages } from '../../../../schemas/messages/file-reading.ts'
import type { Text } from '../../../../schemas/messages/format.ts'

export const fileReading: Record<keyof typeof fileReadingMessages, Text> = {
  'files.empty': 'Die Datei ist leer.',
  'files.blank': 'Die Datei ist leer oder enthält nur Leerraum.',
  'files.notAWorkbook': 'Die Datei ist keine gültige Arbeitsmappe.',
  'files.workbookDamaged': 'Die Arbeitsmappe ist bei Byte {byte} beschädigt.',
  'files.sharedTextsDamaged': 'Die Texte der Arbeitsmappe sind beschädigt.',
  'files.oldWorkbook':
    'Die Arbeitsmappe wurde mit Excel 95 oder älter gespeichert. Speichern Sie sie als XLSX und versuchen Sie es erneut.',
  'files.xlsTooLarge':
    'Eine XLS-Arbeitsmappe darf höchstens {count} Bytes haben. Speichern Sie sie als XLSX und versuchen Sie es erneut.',
  'files.rowsNotInOrder':
    'Zeile {row} kommt nach Zeile {previous}. Speichern Sie die Arbeitsmappe neu in einem Tabellenprogramm und versuchen Sie es erneut.',

  'files.parquetDamaged': 'Die Parquet-Datei ist beschädigt: {problem}.',
  'files.parquetEncrypted':
    'Die Parquet-Datei ist verschlüsselt. Schreiben Sie sie ohne Verschlüsselung und laden Sie diese Datei hoch.',
  'files.notParquet': 'Die Datei ist keine gültige Parquet-Datei.',
  'files.parquetFooterTooLarge':
    'Das Inhaltsverzeichnis der Parquet-Datei hat {count} Bytes; höchstens {maximum} sind erlaubt. Schreiben Sie weniger Zeilengruppen.',
  'files.parquetBufferTooLarge':
    'Das Lesen der Parquet-Datei benötigt mehr als {count} Bytes Speicher. Schreiben Sie sie mit kleineren Seiten oder Zeilengruppen.',
  'files.arrowDamaged': 'Die Arrow-Datei ist beschädigt: {problem}.',
  'files.notArrow': 'Die Datei ist keine gültige Arrow- oder Feather-Datei.',
  'files.arrowOld':
    'Die Datei hat eine alte Version von Arrow oder Feather. Schreiben Sie sie als Feather-Version 2 und laden Sie diese Datei hoch.',
  'files.arrowMetadataTooLarge':
    'Die Metadaten der Arrow-Datei haben {count} Bytes; höchstens {maximum} sind erlaubt. Schreiben Sie weniger Spalten oder Datensatzblöcke.',
  'files.arrowBufferTooLarge':
    'Das Lesen der Arrow-Datei benötigt mehr als {count} Bytes Speicher. Schreiben Sie sie mit kleineren Datensatzblöcken.',
  'files.columnType':
    'Spalte {column} hat einen Typ, eine Kodierung oder Komprimierung, die nicht unterstützt wird: {type}.',
  'files.columnValue': 'Zeile {row}: {column} hat einen Wert, der kein Text ist, zum Beispiel Binärdaten.',
  'files.columnTooDeep': 'Spalte {column} überschreitet die Grenze von {count} Verschachtelungsebenen.',
  'files.tooManyTables': 'Die Datei hat mehr als {count} Tabellen, die Höchstzahl pro Datei.',
  'files.tooLargeForOneFunction':
    'Eine Datei von mehr als {count} Byte muss durchgehend UTF-8-Text mit Trennzeichen sein.',
  'files.tooManyRows': 'Die Tabelle hat mehr als {count} Zeilen, die Höchstzahl eines Blatts.',
  'files.tooManyColumns': 'Die Tabelle hat {count} Spalten; ein Blatt hat höchstens {maximum}.',
  'files.rowTooWide': 'Zeile {row} hat {count} Spalten; ein Blatt hat höchstens {maximum}.',
  'files.rowTooLarge': 'Eine Zeile hat mehr als {count} Bytes.',
  'files.headerRowTooFar':
    'Zeile {row} kann nicht die Kopfzeile sein, da sie nicht zu den ersten {count} Zeilen gehört.',
  'files.headerLinesTooMany': {
    one: 'Die Kopfzeile endet in Zeile {row} und kann deshalb nicht {count} Zeile haben.',
    other: 'Die Kopfzeile endet in Zeile {row} und kann deshalb nicht {count} Zeilen haben.',
  },
  'files.headerRowEmpty': 'Zeile {row} von Blatt {sheet} kann nicht die Kopfzeile sein, da sie leer ist.',

  'files.notText': 'Die Datei ist kein Text: Sie hat binären Inhalt bei Byte {byte}.',
  'files.binary': 'Die Datei ist {kind}, kein Text mit Trennzeichen.',
  'files.kindZip': 'ein ZIP-Archiv oder eine Excel-Arbeitsmappe',
  'files.kindLegacyExcel': 'eine Arbeitsmappe im alten Excel-Format',
  'files.kindPdf': 'ein PDF-Dokument',
  'files.kindGzip': 'ein gzip-Archiv',
  'files.kindPng': 'ein PNG-Bild',
  'files.kindJpeg': 'ein JPEG-Bild',
  'files.kindGif': 'ein GIF-Bild',
  'files.kindProgram': 'ein Programm',
  'files.kindParquet': 'eine Parquet-Datei',
  'files.kindSqlite': 'eine SQLite-Datenbank',
  'files.rowHasNul': 'Zeile {row} hat ein NUL-Zeichen bei Byte {byte}. Die Datei ist beschädigt oder keine Textdatei.',
  'files.rowDoesNotEnd': 'Zeile {row} endet nicht innerhalb von {count} Zeichen.',
  'files.undecodableRow':
    'In Zeile {row} ist Byte {byte} kein gültiges {encoding}. Speichern Sie die Datei als UTF-8 und versuchen Sie es erneut.',
  'files.undecodableLine':
    'In Textzeile {line} ist Byte {byte} kein gültiges {encoding}. Speichern Sie die Datei als UTF-8 und versuchen Sie es erneut.',
  'files.undecodableRecord':
    'Nach Datensatz {record} ist Byte {byte} kein gültiges {encoding}. Speichern Sie die Datei als UTF-8 und versuchen Sie es erneut.',

  'files.tooManyWidths': 'überschreitet die Grenze von {count} Spalten pro Blatt',
  'files.lineTooLong': 'Textzeile {line} hat mehr als {count} Zeichen.',
  'files.lineTooWide': 'Textzeile {line} ist länger als die angegebenen Spalten und geht weiter mit {text}.',

  'files.noRecords': 'Die Datei enthält keine Datensätze.',
  'files.jsonEndsEarly': 'Das JSON endet innerhalb von Datensatz {record}.',
  'files.invalidJson': 'Ungültiges JSON nach Datensatz {record}, bei Byte {byte}: {problem}.',
  'files.recordValueTooLong': 'Datensatz {record} hat einen Wert mit mehr als {count} Zeichen.',
  'files.recordListTooLong': 'Datensatz {record} hat eine Liste mit mehr als {count} Zeichen.',
  'files.recordTooDeep': 'Datensatz {record} überschreitet die Grenze von {count} Verschachtelungsebenen.',
  'files.tooManyValues':
    'Das äußerste Objekt hat mehr als {count} Werte. Erwartet wird eine Liste von Datensätzen oder ein Objekt solcher Listen.',
  'files.tooManyRecordColumns': 'Mit Datensatz {record} sind es {count} Spalten; ein Blatt hat höchstens {maximum}.',

  'files.invalidXml': 'Ungültiges XML in Textzeile {line}, Spalte {column}: {problem}',
  'files.unknownEncoding': 'Das XML gibt eine unbekannte Kodierung an: {encoding}.',
  'files.xmlDocumentType':
    'Textzeile {line} hat einen Dokumenttyp (DOCTYPE). Das wird nicht unterstützt, da er auf Entitäten und externe Dateien verweisen kann.',
  'files.xmlTextTooLong': 'Textzeile {line} hat ein Tag oder einen Text mit mehr als {count} Zeichen.',
  'files.xmlTooDeep': 'Textzeile {line} hat Elemente, die mehr als {count} Ebenen tief verschachtelt sind.',
  'files.elementTooDeep': 'Element {element} überschreitet die Grenze von {count} Verschachtelungsebenen.',
  'files.tooManyElements': 'Das XML hat mehr als {count} Arten von Elementen.',
  'files.xmlRecordTooLong': 'Ein Datensatz von {element} hat mehr als {count} Zeichen.',

  'files.sheetReason': 'Blatt {sheet}: {reason}',
  'files.pageWithoutTable': 'Die Seite enthält keine Tabelle.',
  'files.pageTooLarge': 'Eine Seite mit Tabellen darf höchstens {count} Bytes haben.',
  'files.emptyWorkbook': 'Die Arbeitsmappe ist leer.',
  'files.tooManySheetsWithData': 'Die Arbeitsmappe hat mehr als {count} Blätter mit Daten, die Höchstzahl pro Datei.',
  'files.tooManySheets': 'Die Arbeitsmappe hat mehr als {count} Blätter.',
  'files.tooManyFormats': 'Die Arbeitsmappe hat mehr als {count} Formate.',
  'files.workbookPartMissing': 'Die Arbeitsmappe ist beschädigt: {part} fehlt.',
  'files.sheetMissing': 'Die Arbeitsmappe ist beschädigt: Das Blatt {sheet} fehlt.',
  'files.sheetShared':
    'Die Arbeitsmappe ist beschädigt: Das Blatt {sheet} teilt seinen Inhalt mit einem anderen Blatt.',
  'files.invalidRow': 'Die Zeilennummer {row} ist ungültig.',
  'files.invalidCell': 'In Zeile {row} ist der Zellbezug {cell} ungültig.',
  'files.unknownSharedText':
    'Zelle {cell} verweist auf den gemeinsamen Text {text}, den es in der Arbeitsmappe nicht gibt.',
  'files.invalidMergedRange': 'Der Bereich {range} verbundener Zellen ist ungültig.',
  'files.tooManyMergedCells': 'Es gibt mehr als {count} verbundene Zellen, die Höchstzahl, die gefüllt werden kann.',
  'files.encryptedSpreadsheet':
    'Die Tabelle ist durch ein Passwort geschützt. Speichern Sie sie ohne Passwort und versuchen Sie es erneut.',
  'files.passwordRequired': 'Die Arbeitsmappe ist durch ein Passwort geschützt. Entsperren Sie sie mit ihrem Passwort.',
  'files.wrongPassword': 'Das Passwort ist falsch.',
  'files.notProtected': 'Die Datei ist keine durch ein Passwort geschützte Arbeitsmappe.',
  'files.protectedTooLarge':
    'Eine Arbeitsmappe mit Passwort kann höchstens {count} Byte haben. Speichern Sie sie ohne Passwort.',
  'files.encryptionDamaged': 'Die Verschlüsselung der Arbeitsmappe ist beschädigt.',
  'files.encryptionUnsupported': 'Die Arbeitsmappe ist auf eine nicht unterstützte Weise verschlüsselt: {method}.',
  'files.tooManyPasswordRounds':
    'Das Passwort der Arbeitsmappe wird {count}-mal gehasht; höchstens {maximum}-mal ist erlaubt. Speichern Sie sie ohne Passwort.',
  'files.repeatedCellsTooLarge': 'Die wiederholten Zeilen und Zellen der Tabelle überschreiten {count} Byte.',
  'files.sharedTextsTooLarge':
    'Die gemeinsamen Texte der Arbeitsmappe überschreiten {count} Bytes. Speichern Sie ihre Blätter als CSV-Dateien.',

  'files.emptyArchive': 'Das Archiv ist leer.',
  'files.archiveWithoutTables': 'Das Archiv enthält keine lesbare Tabelle: {files}.',
  'files.archiveTooLarge': 'Das Archiv ist entpackt größer als {count} Bytes, die Höchstgröße.',
  'files.gzipBomb':
    'Nach {count} Bytes ist das Archiv entpackt mehr als {ratio}-mal so groß. Es wurde als mögliche ZIP-Bombe abgelehnt.',
  'files.gzipDamaged': 'Das gzip-Archiv ist beschädigt: {problem}.',
  'files.notAnArchive': 'Die Datei ist beschädigt oder kein ZIP-Archiv: {problem}',

  'files.nestedZip': 'Es ist ein ZIP-Archiv in einem Archiv. Das wird nicht unterstützt.',
  'files.nestedGzip': 'Es ist ein gzip-Archiv in einem Archiv. Das wird nicht unterstützt.',
  'files.nestedWorkbooksTooLarge':
    'Mit dieser überschreiten die Arbeitsmappen im Archiv zusammen {count} Bytes. Importieren Sie sie als separate Datei.',
  'files.nestedBomb':
    'Sie ist entpackt mehr als {ratio}-mal so groß wie im Archiv. Sie wurde als mögliche ZIP-Bombe abgelehnt.',

  'files.tooManyEntries': 'Das Archiv hat {count} Einträge; höchstens {maximum} sind möglich.',
  'files.duplicateEntry': 'Das Archiv hat zwei Einträge mit dem Namen {entry}.',
  'files.overlappingEntries': 'Die Einträge {first} und {second} des Archivs überlappen sich.',
  'files.unsafePath': 'Das Archiv hat einen Eintrag mit einem unsicheren Pfad ({problem}).',
  'files.symlinkEntry': 'Der Eintrag {entry} des Archivs ist eine symbolische Verknüpfung. Das wird nicht unterstützt.',
  'files.encryptedEntry':
    'Der Eintrag {entry} des Archivs ist verschlüsselt. Speichern Sie die Datei ohne Passwort und versuchen Sie es erneut.',
  'files.compressionMethod':
    'Der Eintrag {entry} des Archivs verwendet ein nicht unterstütztes Komprimierungsverfahren ({method}).',
  'files.entryTooLarge':
    'Der Eintrag {entry} des Archivs ist entpackt {count} Bytes groß; höchstens {maximum} sind möglich.',
  'files.entryBomb':
    'Der Eintrag {entry} des Archivs ist entpackt mehr als {ratio}-mal so groß. Er wurde als mögliche ZIP-Bombe abgelehnt.',
  'files.entryDamaged': 'Der Eintrag {entry} des Archivs ist beschädigt: {problem}',
  'files.entryTooLong': {
    one: 'Er hat mehr als das angegebene {count} Byte',
    other: 'Er hat mehr als die angegebenen {count} Bytes',
  },
  'files.entryTooShort': {
    one: 'Er hat {count} Byte statt der angegebenen {declared}',
    other: 'Er hat {count} Bytes statt der angegebenen {declared}',
  },
  'files.endsEarly': 'Das Ende fehlt',
}
