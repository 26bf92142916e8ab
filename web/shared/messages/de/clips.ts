import type { clipMessages } from '../../../../schemas/messages/clips.ts'
import type { Text } from '../../../../schemas/messages/format.ts'

export const clips: Record<keyof typeof clipMessages, Text> = {
  'clips.merged': 'Der Datenauszug {clip} ist zusammengeführt und kann nicht mehr geändert werden.',
  'clips.unknownCollaborator': '{name} ist weder eine E-Mail-Adresse noch die ID eines bekannten Benutzers oder Gasts',

  'clips.recordsRequired': 'ist erforderlich, wenn keine Abfrageparameter Datensätze auswählen',
  'clips.recordsOrParameters': 'kann nicht mit Parametern kombiniert werden, die Datensätze auswählen',
  'clips.tooManyAdditions': 'Datensätze können einem Auszug höchstens {count} Mal hinzugefügt werden.',
  'clips.tooManyRanges':
    'Die ausgewählten Datensätze liegen in {count} getrennten Zeilenbereichen, mehr als die erlaubten {limit}. Kopieren Sie weniger Datensätze auf einmal.',
  'clips.copiedConcurrently':
    'Eine andere Anfrage hat gleichzeitig einige dieser Datensätze kopiert. Wiederholen Sie die Anfrage.',
  'clips.deletedConcurrently': 'Gleichzeitig wurden Datensätze der Quelle gelöscht. Wiederholen Sie die Anfrage.',

  'clips.conflicts': {
    one: '{count} Datensatz hat Konflikte. Lösen Sie diese zuerst mit {endpoint}.',
    other: '{count} Datensätze haben Konflikte. Lösen Sie diese zuerst mit {endpoint}.',
  },
  'clips.tooManyDecisions':
    'Ein Auszug kann höchstens {count} Entscheidungen haben; dieser hätte {current}. Führen Sie den Auszug zusammen oder aktualisieren Sie seine Konfliktlösungen.',
  'clips.recordNotDifferent': 'der Datensatz {record} weicht nicht von der Quelle ab',
  'clips.fieldNotDifferent': '{field} von {record} weicht nicht von der Quelle ab',
  'clips.fieldChanged': '{field} von {record} hat sich geändert. Laden Sie die Konfliktlösungen neu.',
  'clips.invalidChoice': 'muss eines von {choices} sein',
}
