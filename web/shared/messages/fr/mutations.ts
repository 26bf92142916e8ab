import type { Text } from '../../../../schemas/messages/format.ts'
import type { mutationMessages } from '../../../../schemas/messages/mutations.ts'

export const mutations: Record<keyof typeof mutationMessages, Text> = {
  'mutations.tooLong': 'compte {count} caractères ; la limite est de {limit}',
  'mutations.notAFunction': 'n’est pas une fonction JavaScript valide : {reason}',
  'mutations.notLoaded': 'La fonction n’a pas pu être chargée : {reason}',
  'mutations.failed': 'La fonction a échoué : {reason}',
  'mutations.failedAtRecord': 'La fonction a échoué à l’enregistrement {record} : {reason}',
  'mutations.unreadableChanges': 'La fonction a échoué : ses modifications sont illisibles.',
  'mutations.stopped': 'La fonction a été interrompue : {reason}.',
  'mutations.stoppedAtRecord': 'La fonction a été interrompue à l’enregistrement {record} : {reason}.',
  'mutations.timedOut': {
    one: 'elle ne s’est pas terminée en {count} seconde',
    other: 'elle ne s’est pas terminée en {count} secondes',
  },
  'mutations.outOfTime': 'elle ne s’est pas terminée à temps',
  'mutations.memoryLimit': 'elle a utilisé plus de {limit} Mo de mémoire',
  'mutations.outOfMemory': 'elle a utilisé trop de mémoire',
  'mutations.processDied': 'son processus s’est arrêté, sans doute parce qu’elle a utilisé trop de mémoire',
  'mutations.resultTooLarge': 'ses valeurs dépassent la taille maximale de la réponse d’un appel ({limit} Mo)',

  'mutations.errorAtLine': '{error} (ligne {line})',
  'mutations.noImports': '{error} (une mutation ne peut pas importer de modules)',
  'mutations.noIntl': '{error} (une mutation ne dispose ni d’Intl ni de paramètres régionaux)',
  'mutations.typeError': 'TypeError: {reason}',
  'mutations.undescribedError': 'elle a levé une valeur impossible à décrire',
  'mutations.noRecordReturned': 'elle doit renvoyer l’enregistrement',
  'mutations.valueType':
    'la valeur de {field} doit être de type string, number ou boolean, null ou une liste de ces valeurs',
  'mutations.localeMethod': '{method} dépend de paramètres régionaux, que les mutations ne prennent pas en charge',
  'mutations.notCallable': 'ce n’est pas une fonction',
  'mutations.pendingPromise':
    'elle attend une promesse qui n’aboutit jamais : le réseau et les minuteries ne sont pas disponibles',
}
