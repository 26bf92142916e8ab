import type { fileMessages } from '../../../../schemas/messages/files.ts'
import type { Text } from '../../../../schemas/messages/format.ts'

export const files: Record<keyof typeof fileMessages, Text> = {
  'files.reason': '{file}: {reason}',
  'files.internalError': 'Ein interner Fehler ist aufgetreten. Versuchen Sie später, die Datei erneut einzulesen.',

  'files.nameHasSlashes': 'darf keine Schrägstriche oder Steuerzeichen enthalten',
  'files.nameHasBidi': 'darf keine Steuerzeichen für die Schreibrichtung enthalten',
  'files.invalidName': 'hat einen ungültigen Dateinamen: {problem}',
  'files.invalidPrefix': 'ergibt einen ungültigen Dateinamen: {problem}',

  'files.environmentMismatch': 'stimmt nicht mit der Umgebung des Bereichs überein',
  'files.spaceRequired': 'ist erforderlich, da dieses Token nicht auf eine Umgebung beschränkt ist',
  'files.workbookElsewhere': 'ist keine Arbeitsmappe im selben Bereich',
  'files.statusReasonNotAllowed': 'ist nur zusammen mit `status` `failed` zulässig',
  'files.stillUploading': 'Die Datei wird noch hochgeladen.',
  'files.stillReading': 'Die Datei wird noch gelesen. Versuchen Sie es danach erneut.',
  'files.size': { one: 'Die Datei hat {count} Byte.', other: 'Die Datei hat {count} Bytes.' },

  'files.exceedsBytes': 'überschreitet die Grenze von {count} Bytes',
  'files.tooLarge': 'Eine Datei darf höchstens {count} Bytes groß sein.',
  'files.wrongUploadSize': {
    one: 'Vom Upload wurde {count} Byte statt {expected} empfangen.',
    other: 'Vom Upload wurden {count} Bytes statt {expected} empfangen.',
  },
  'files.nothingUploaded': 'Es wurden keine Bytes empfangen. Senden Sie sie zuerst mit PUT an die Upload-URL.',
  'files.partsRequired': 'muss jeden Teil mit seinem etag aufführen',
  'files.invalidParts': 'Die Teile ergeben keine gültige Datei: {problem}',

  'files.formRequired': 'muss multipart/form-data sein',
  'files.fileRequired': 'fehlt',
  'files.severalFiles': 'muss genau eine Datei pro Anfrage sein, erhalten: {count}',
  'files.invalidForm': 'ist kein gültiges Formular: {problem}',
  'files.tooManyFormFields': 'überschreitet die Grenze von {count} Feldern',

  'files.requiredForAlgorithm': 'ist für den Algorithmus {algorithm} erforderlich',
  'files.rowNotInData': 'Zeile {row} ist in den Daten nicht vorhanden',

  'files.previewTooLarge': 'Für Arbeitsmappen mit mehr als {count} Bytes gibt es keine Vorschau.',
  'files.cellTooLong':
    'Blatt {sheet}, Zeile {row}: {column} überschreitet die für Tabellen geltende Grenze von {count} Zeichen pro Zelle. Exportieren Sie als CSV oder JSON.',
  'files.tooManyComments':
    'Blatt {sheet} hat in mehr als {count} Zellen Meldungen oder zu lange. Wählen Sie weniger Datensätze aus oder exportieren Sie mit einer Spalte der Meldungen statt mit Kommentaren.',

  'files.supportedTypes':
    '{explanation} Unterstützte Dateien: CSV, TSV, PSV, TXT, XLSX, XLSM, XLSB, XLS, ODS, PARQUET, ARROW, FEATHER, JSON, JSONL, XML, HTML sowie ZIP- oder GZ-Archive davon.',
  'files.unsupportedType': 'Dateien vom Typ {type} werden nicht unterstützt.',
  'files.noExtension':
    'Der Dateiname hat keine Endung, an der sich der Typ erkennen lässt. Ergänzen Sie die Endung und laden Sie die Datei erneut hoch.',
  'files.appleNumbers':
    'Apple-Numbers-Dateien ({type}) werden nicht unterstützt. Exportieren Sie die Tabelle als XLSX oder CSV und laden Sie diese Datei hoch.',
  'files.document':
    'Dokumente ({type}) werden nicht unterstützt. Kopieren Sie die Tabelle in ein Tabellenprogramm, speichern Sie sie als XLSX oder CSV und laden Sie diese Datei hoch.',
  'files.otherArchive':
    'Archive vom Typ {type} werden nicht unterstützt. Packen Sie die Dateien als ZIP und laden Sie diese Datei hoch.',
}
