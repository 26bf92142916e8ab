/** Messages about data clips: collaborators, copied records, conflicts and merging. */
import type { Text } from './format.ts'

export const clipMessages = {
  'clips.merged': 'The data clip {clip} is merged and can no longer be changed.',
  'clips.unknownCollaborator': '{name} is not an email address or the id of a known user or guest',

  'clips.recordsRequired': 'is required unless query parameters select records',
  'clips.recordsOrParameters': 'cannot be combined with parameters that select records',
  'clips.tooManyAdditions': 'Records can be added to a clip at most {count} times.',
  'clips.tooManyRanges':
    'The selected records are in {count} separate row ranges, more than the limit of {limit}. Copy fewer records at a time.',
  'clips.copiedConcurrently': 'Another request copied some of these records at the same time. Repeat the request.',
  'clips.deletedConcurrently': 'Records of the source were deleted at the same time. Repeat the request.',

  'clips.conflicts': {
    one: '{count} record has conflicts. Resolve them with {endpoint} first.',
    other: '{count} records have conflicts. Resolve them with {endpoint} first.',
  },
  'clips.tooManyDecisions':
    'A clip can have at most {count} decisions; this one would have {current}. Merge the clip or refresh its resolutions.',
  'clips.recordNotDifferent': 'the record {record} does not differ from the source',
  'clips.fieldNotDifferent': '{field} of {record} does not differ from the source',
  'clips.fieldChanged': '{field} of {record} has changed. Reload the resolutions.',
  'clips.invalidChoice': 'must be one of {choices}',
} as const satisfies Record<string, Text>
