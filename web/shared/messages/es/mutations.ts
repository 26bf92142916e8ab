import type { Text } from '../../../../schemas/messages/format.ts'
import type { mutationMessages } from '../../../../schemas/messages/mutations.ts'

export const mutations: Record<keyof typeof mutationMessages, Text> = {
  'mutations.tooLong': 'tiene {count} caracteres; el límite es {limit}',
  'mutations.notAFunction': 'no es una función de JavaScript válida: {reason}',
  'mutations.notLoaded': 'No se pudo cargar la función: {reason}',
  'mutations.failed': 'La función ha fallado: {reason}',
  'mutations.failedAtRecord': 'La función ha fallado en el registro {record}: {reason}',
  'mutations.unreadableChanges': 'La función ha fallado: no se pueden leer sus cambios.',
  'mutations.stopped': 'La función se ha detenido: {reason}.',
  'mutations.stoppedAtRecord': 'La función se ha detenido en el registro {record}: {reason}.',
  'mutations.timedOut': { one: 'no terminó en {count} segundo', other: 'no terminó en {count} segundos' },
  'mutations.outOfTime': 'no terminó a tiempo',
  'mutations.memoryLimit': 'utilizó más de {limit} MB de memoria',
  'mutations.outOfMemory': 'utilizó demasiada memoria',
  'mutations.processDied': 'su proceso terminó, probablemente porque utilizó demasiada memoria',
  'mutations.resultTooLarge': 'sus valores superan el límite de respuesta de una llamada ({limit} MB)',

  'mutations.errorAtLine': '{error} (línea {line})',
  'mutations.noImports': '{error} (una mutación no puede importar módulos)',
  'mutations.noIntl': '{error} (una mutación no dispone de Intl ni de configuraciones regionales)',
  'mutations.typeError': 'TypeError: {reason}',
  'mutations.undescribedError': 'lanzó un valor que no se puede describir',
  'mutations.noRecordReturned': 'debe devolver el registro',
  'mutations.valueType': 'el valor de {field} debe ser string, number, boolean, null o una lista de estos',
  'mutations.localeMethod': '{method} depende de una configuración regional, que las mutaciones no admiten',
  'mutations.notCallable': 'no es una función',
  'mutations.pendingPromise':
    'espera una promesa que nunca se resuelve: la red y los temporizadores no están disponibles',
}
