import type { actionMessages } from '../../../../schemas/messages/actions.ts'
import type { Text } from '../../../../schemas/messages/format.ts'

export const actions: Record<keyof typeof actionMessages, Text> = {
  'actions.tooLarge': 'darf als JSON höchstens {limit} Bytes groß sein',
  'actions.inputRequired': '{field} ist erforderlich',
  'actions.inputText': '{field} muss ein Text sein',
  'actions.inputNumber': '{field} muss eine Zahl sein',
  'actions.inputBoolean': '{field} muss true oder false sein',
  'actions.inputDate': '{field} muss ein Datum sein',
  'actions.inputList': '{field} muss eine Liste sein',
  'actions.inputOption': '{field} muss einer dieser Werte sein: {options}',
  'actions.inputOptions': '{field} darf nur diese Werte enthalten: {options}',

  'actions.cannotRun': '{action} kann nicht ausgeführt werden: {reason}.',
  'actions.noRecords': 'es gibt keine Datensätze',
  'actions.noSelection': 'es sind keine Datensätze ausgewählt (setzen Sie subject.query)',
  'actions.emptySelection': 'die Auswahl ist leer',
  'actions.recordsWithErrors': { one: '{count} Datensatz hat Fehler', other: '{count} Datensätze haben Fehler' },
  'actions.noColumn': 'es ist keine Spalte ausgewählt (setzen Sie subject.params.columnKey)',
  'actions.unknownColumn': 'es gibt keine Spalte {column}',
  'actions.readOnlyColumn': 'die Spalte {column} ist schreibgeschützt',
}
