import type { Text } from '../../../../schemas/messages/format.ts'
import type { jobMessages } from '../../../../schemas/messages/jobs.ts'

export const jobs: Record<keyof typeof jobMessages, Text> = {
  'jobs.recordsDeleted': { one: '{count} Datensatz gelöscht', other: '{count} Datensätze gelöscht' },
  'jobs.recordsDeletedFrom': {
    one: '{count} Datensatz aus {sheet} gelöscht.',
    other: '{count} Datensätze aus {sheet} gelöscht.',
  },
  'jobs.deletionFinished': 'Datensätze gelöscht',
  'jobs.deletingRecords': 'Datensätze werden gelöscht',
  'jobs.recordsChanged': { one: '{count} Datensatz geändert', other: '{count} Datensätze geändert' },
  'jobs.recordsChangedIn': {
    one: '{count} Datensatz in {sheet} geändert.',
    other: '{count} Datensätze in {sheet} geändert.',
  },
  'jobs.changeFinished': 'Datensätze geändert',
  'jobs.changingRecords': 'Datensätze werden geändert: {count} erledigt',
  'jobs.replacingValues': 'Werte werden ersetzt',
  'jobs.open': '{name} öffnen',
  'jobs.sheetLocked': 'Das Blatt {sheet} ist gesperrt. Entsperren Sie es und versuchen Sie es erneut.',
  'jobs.nothingToUndo':
    'Der Auftrag hat keinen Import, der rückgängig gemacht werden kann: Nur eine abgeschlossene Zuordnung, die Datensätze geschrieben hat, hat einen.',
  'jobs.importUndone': 'Der Import wurde rückgängig gemacht',
  'jobs.noPreview': 'Aufträge mit der Operation {operation} haben keine Vorschau.',

  'jobs.extracting': '{file} wird gelesen',
  'jobs.rowsExtracted': { one: '{count} Zeile gelesen', other: '{count} Zeilen gelesen' },
  'jobs.rowsRead': { one: '{file}: {count} Zeile gelesen.', other: '{file}: {count} Zeilen gelesen.' },
  'jobs.withSkipped': '{result} Übersprungen: {names}.',
  'jobs.withMixedEncodings': {
    one: '{result} ({count} Zeile wurde als {encoding} gelesen, die anderen als {main})',
    other: '{result} ({count} Zeilen wurden als {encoding} gelesen, die anderen als {main})',
  },
  'jobs.withSplitSheets': '{result} (mehrere Tabellen auf einem Blatt wurden getrennte Blätter: {names})',
  'jobs.withRepeatedHeaders': {
    one: '{result} ({count} wiederholte Kopfzeile ausgelassen)',
    other: '{result} ({count} wiederholte Kopfzeilen ausgelassen)',
  },
  'jobs.extractionFinished': 'Datei gelesen',
  'jobs.recordsExported': { one: '{count} Datensatz exportiert', other: '{count} Datensätze exportiert' },
  'jobs.recordsInFile': { one: '{count} Datensatz in {file}.', other: '{count} Datensätze in {file}.' },
  'jobs.exportFinished': 'Export abgeschlossen',
  'jobs.exportProgress': {
    one: '{done} von {count} Datensatz geschrieben',
    other: '{done} von {count} Datensätzen geschrieben',
  },
  'jobs.workbookWithoutSheets': 'Die Arbeitsmappe hat keine Blätter.',
  'jobs.filesPacked': { one: '{count} Datei gepackt', other: '{count} Dateien gepackt' },
  'jobs.agentVersionExported': {
    one: 'Version {version} von {agent} exportiert: {count} Datei',
    other: 'Version {version} von {agent} exportiert: {count} Dateien',
  },
  'jobs.agentFiles': { one: '{agent}: {count} Datei.', other: '{agent}: {count} Dateien.' },
  'jobs.bundleInsteadOfSources':
    '{result} Die Source Map enthält keine Quelldateien; das Archiv enthält stattdessen das Bundle.',
  'jobs.agentExportFinished': 'Agent exportiert',

  'jobs.submitted': 'Eingereicht',
  'jobs.recordsSubmitted': { one: '{count} Datensatz eingereicht', other: '{count} Datensätze eingereicht' },
  'jobs.submittedAndLocked': {
    one: '{count} Datensatz wurde eingereicht. Er kann hier nicht mehr geändert werden.',
    other: '{count} Datensätze wurden eingereicht. Sie können hier nicht mehr geändert werden.',
  },
  'jobs.downloadCopy': 'Kopie herunterladen',
  'jobs.noSubmitAction': 'Die Arbeitsmappe hat keine Aktion mit der Operation submit-and-lock.',
  'jobs.alreadySubmitted': 'Dies wurde bereits eingereicht.',

  'jobs.failed': 'Der Auftrag ist fehlgeschlagen',
  'jobs.tryAgain': 'Erneut versuchen',
  'jobs.unexpectedFailure': 'Bei uns ist ein Fehler aufgetreten. Versuchen Sie es später erneut.',
  'jobs.timeLimitExceeded':
    'Der Auftrag hat das Zeitlimit eines Durchlaufs überschritten. Teilen Sie die Daten in kleinere Teile auf.',
  'jobs.noListener': {
    one: 'Kein Listener hat den Auftrag innerhalb von {count} Stunde übernommen. Starten Sie einen Listener für {operation}.',
    other:
      'Kein Listener hat den Auftrag innerhalb von {count} Stunden übernommen. Starten Sie einen Listener für {operation}.',
  },
  'jobs.noSignOfLife': {
    one: 'Der Auftrag hat seit {count} Stunde kein Lebenszeichen gegeben. Wahrscheinlich läuft sein Listener nicht mehr.',
    other:
      'Der Auftrag hat seit {count} Stunden kein Lebenszeichen gegeben. Wahrscheinlich läuft sein Listener nicht mehr.',
  },
  'jobs.noSignOfLifePastEstimate': {
    one: 'Der Auftrag hat seit {count} Stunde nach dem voraussichtlichen Abschluss kein Lebenszeichen gegeben. Wahrscheinlich läuft sein Listener nicht mehr.',
    other:
      'Der Auftrag hat seit {count} Stunden nach dem voraussichtlichen Abschluss kein Lebenszeichen gegeben. Wahrscheinlich läuft sein Listener nicht mehr.',
  },
  'jobs.predecessorEnded': 'Der Vorgänger {job} hat den Status {status}.',
  'jobs.predecessorRemoved': 'Der Vorgänger {job} wurde gelöscht.',
  'jobs.parentEnded': 'Der übergeordnete Auftrag hat den Status {status}.',
  'jobs.scheduleRemoved': 'Die Aktion hat diesen Zeitplan nicht mehr.',

  'jobs.retryFirst': '{job} hat den Status {status}; wiederholen Sie diesen Auftrag zuerst',
  'jobs.tooManySuccessors': '{job} hat bereits {count} Nachfolger; mehr sind nicht möglich',
  'jobs.wrongStatus': 'Der Auftrag hat den Status {status}. „{trigger}“ ist nur möglich bei: {states}.',
  'jobs.statusNotSettable': 'kann nicht auf {status} gesetzt werden',
  'jobs.statusWhenScheduling': 'kann beim Planen eines Auftrags nicht {status} sein; lassen Sie es weg',
  'jobs.notForeground':
    'Nur das Ergebnis eines Auftrags im Modus foreground kann bestätigt werden; dieser hat den Modus {mode}.',
  'jobs.notWithImmediate': 'kann nicht mit dem trigger "immediate" kombiniert werden',
  'jobs.notWithPlan': 'kann nicht mit einem Plan kombiniert werden: jede Wiederholung bräuchte einen eigenen',
  'jobs.notItsEnvironment': 'ist nicht die Umgebung der Quelle des Auftrags; lassen Sie es weg',
  'jobs.tooLarge':
    'Aufträge dürfen höchstens {limit} Bytes groß sein, einschließlich config, input, metadata und outcome; dieser hat {count}. Speichern Sie die Daten in einer Datei oder in Datensätzen und verweisen Sie darauf.',
  'jobs.splitTooLarge':
    'Die Teile eines Auftrags dürfen zusammen höchstens {limit} Bytes groß sein, einschließlich der Kopien von input, config und metadata; diese haben {count}. Speichern Sie die Daten in einer Datei oder in Datensätzen und verweisen Sie darauf.',
  'jobs.platformJobNotSplittable':
    '{operation} wird von der Plattform ausgeführt. Nur Aufträge von Listenern können aufgeteilt werden.',
  'jobs.waitsForPredecessors': 'Der Auftrag wartet auf seine Vorgänger. Teilen Sie ihn auf, sobald er bereit ist.',
  'jobs.downloadAddress': 'muss {filePath}, {sheetPath} oder eine vollständige https-Adresse sein',
  'jobs.pageAddress': 'muss eine vollständige http- oder https-Adresse sein oder ein Pfad, der mit einem / beginnt',
  'jobs.outcomeTrigger':
    'muss manual, automatic oder automatic_silent sein oder ein Objekt mit einem dieser Werte als type',
  'jobs.unknownField': 'es gibt kein Feld {field}',
  'jobs.tooManyForWorksheet':
    'Ein Tabellenblatt fasst höchstens {count} Datensätze. Exportieren Sie als CSV, JSON Lines oder Parquet.',
  'jobs.commentsNeedWorkbook': 'nur XLSX und ODS haben Kommentare',
  'jobs.unknownSheetField': 'das Blatt hat kein Feld {field}',
  'jobs.sameSheet': 'muss ein anderes Blatt als die Quelle sein',
  'jobs.sheetRequired': 'ist erforderlich, weil die Quelle des Auftrags kein Blatt ist',
}
