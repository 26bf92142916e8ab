/** Messages about mutations: functions of users that change records. */
import type { Text } from './format.ts'

export const mutationMessages = {
  'mutations.tooLong': 'has {count} characters; the limit is {limit}',
  'mutations.notAFunction': 'is not a valid JavaScript function: {reason}',
  'mutations.notLoaded': 'The function could not be loaded: {reason}',
  'mutations.failed': 'The function failed: {reason}',
  'mutations.failedAtRecord': 'The function failed at record {record}: {reason}',
  'mutations.unreadableChanges': 'The function failed: its changes cannot be read.',
  'mutations.stopped': 'The function was stopped: {reason}.',
  'mutations.stoppedAtRecord': 'The function was stopped at record {record}: {reason}.',
  'mutations.timedOut': {
    one: 'it did not finish within {count} second',
    other: 'it did not finish within {count} seconds',
  },
  'mutations.outOfTime': 'it did not finish in time',
  'mutations.memoryLimit': 'it used more than {limit} MB of memory',
  'mutations.outOfMemory': 'it used too much memory',
  'mutations.processDied': 'its process died, most likely because it used too much memory',
  'mutations.resultTooLarge': 'its values exceed the response limit of one call ({limit} MB)',

  'mutations.errorAtLine': '{error} (line {line})',
  'mutations.noImports': '{error} (a mutation cannot import modules)',
  'mutations.noIntl': '{error} (a mutation has no Intl and no locales)',
  'mutations.typeError': 'TypeError: {reason}',
  'mutations.undescribedError': 'it threw a value that cannot be described',
  'mutations.noRecordReturned': 'it must return the record',
  'mutations.valueType': 'the value of {field} must be a string, number, boolean, null or a list of these',
  'mutations.localeMethod': '{method} depends on a locale, which mutations do not support',
  'mutations.notCallable': 'it is not a function',
  'mutations.pendingPromise': 'it waits for a promise that never settles: network and timers are not available',
} as const satisfies Record<string, Text>
