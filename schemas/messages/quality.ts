import type { Text } from './format.ts'

export const qualityMessages = {
  'quality.notListField': 'can only be split in a field that contains lists',
  'quality.otherFieldType': 'must be the type of the field: {type}',
  'quality.replacedTwice': 'is replaced by two different values',
  'quality.tooManyValues':
    'The field {field} has more than {count} different texts, the maximum of the method `distance`.',
  'quality.tooManyComparisons':
    'The texts of the field {field} are so similar that the method `distance` needs more than {count} comparisons. Use another method or a smaller radius.',
  'quality.mergedTwice': 'occurs more than once in these merges',
  'quality.notInGroup': 'must be a record of this merge',
  'quality.notReference': 'must be a reference field',
  'quality.filteredReference': 'has a filter, so its missing records need more than one value',
  'quality.noLinkedField': 'The referenced sheet or its field does not exist.',
} as const satisfies Record<string, Text>
