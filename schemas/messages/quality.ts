/** Messages about the data quality of a sheet: its edits, clusters and duplicates. */
import type { Text } from './format.ts'

export const qualityMessages = {
  'quality.notListField': 'can only be split in a field that contains lists',
  'quality.otherFieldType': 'must be the type of the field: {type}',
  'quality.replacedTwice': 'is replaced by two different values',
} as const satisfies Record<string, Text>
