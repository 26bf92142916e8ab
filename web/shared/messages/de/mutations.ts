import type { Text } from '../../../../schemas/messages/format.ts'
import type { mutationMessages } from '../../../../schemas/messages/mutations.ts'

export const mutations: Record<keyof typeof mutationMessages, Text> = {
  'mutations.tooLong': 'hat {count} Zeichen; erlaubt sind höchstens {limit}',
  'mutations.notAFunction': 'ist keine gültige JavaScript-Funktion: {reason}',
  'mutations.notLoaded': 'Die Funktion konnte nicht geladen werden: {reason}',
  'mutations.failed': 'Die Funktion ist fehlgeschlagen: {reason}',
  'mutations.failedAtRecord': 'Die Funktion ist bei Datensatz {record} fehlgeschlagen: {reason}',
  'mutations.unreadableChanges': 'Die Funktion ist fehlgeschlagen: ihre Änderungen können nicht gelesen werden.',
  'mutations.stopped': 'Die Funktion wurde abgebrochen: {reason}.',
  'mutations.stoppedAtRecord': 'Die Funktion wurde bei Datensatz {record} abgebrochen: {reason}.',
  'mutations.timedOut': {
    one: 'sie wurde nicht innerhalb von {count} Sekunde fertig',
    other: 'sie wurde nicht innerhalb von {count} Sekunden fertig',
  },
  'mutations.outOfTime': 'sie wurde nicht rechtzeitig fertig',
  'mutations.memoryLimit': 'sie hat mehr als {limit} MB Arbeitsspeicher benötigt',
  'mutations.outOfMemory': 'sie hat zu viel Arbeitsspeicher benötigt',
  'mutations.processDied': 'ihr Prozess wurde beendet, wahrscheinlich weil sie zu viel Arbeitsspeicher benötigt hat',
  'mutations.resultTooLarge': 'ihre Werte überschreiten die Höchstgröße der Antwort eines Aufrufs ({limit} MB)',

  'mutations.errorAtLine': '{error} (Zeile {line})',
  'mutations.noImports': '{error} (eine Mutation kann keine Module importieren)',
  'mutations.noIntl': '{error} (in einer Mutation gibt es weder Intl noch Gebietsschemas)',
  'mutations.typeError': 'TypeError: {reason}',
  'mutations.undescribedError': 'sie hat einen Wert ausgelöst, der nicht beschrieben werden kann',
  'mutations.noRecordReturned': 'sie muss den Datensatz zurückgeben',
  'mutations.valueType': 'der Wert von {field} muss ein string, number, boolean, null oder eine Liste davon sein',
  'mutations.localeMethod': '{method} hängt von einem Gebietsschema ab; Mutationen unterstützen das nicht',
  'mutations.notCallable': 'sie ist keine Funktion',
  'mutations.pendingPromise':
    'sie wartet auf ein Promise, das nie abgeschlossen wird: Netzwerk und Timer sind nicht verfügbar',
}
