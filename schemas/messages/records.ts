/** Messages about records: validation of values, and requests that read or write records. */
import type { Text } from '../message-format.ts'

export const recordMessages = {
  'records.required': 'This field is required',
} as const satisfies Record<string, Text>
