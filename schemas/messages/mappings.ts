/** Messages about mappings: plans, programs and their rules. */
import type { Text } from './format.ts'

export const mappingMessages = {
  'mappings.allRequiredMapped': 'All required fields are mapped',
  'mappings.requiredUnmapped': 'Unmapped required fields: {fields}',
  'mappings.recordsMapped': { one: 'Mapped {count} record', other: 'Mapped {count} records' },
  'mappings.recordsMappedTo': {
    one: '{count} record mapped from {source} to {destination}.',
    other: '{count} records mapped from {source} to {destination}.',
  },
  'mappings.progress': { one: 'Mapped {done} of {count} record', other: 'Mapped {done} of {count} records' },
  'mappings.finished': 'Data mapped',
  'mappings.nothingMapped': 'No field of {source} is mapped to a field of {destination}. Map at least one.',
  'mappings.ruleDoesNotFit': 'The rules do not fit the sheets: {rule} {problem}',
  'mappings.rulesDoNotFit': { one: '{first} ({count} more problem)', other: '{first} ({count} more problems)' },
  'mappings.edgeFillsField': 'another edge already fills the field {field}',
  'mappings.noPlan': 'The job has no plan yet: it gets one when it starts.',
  'mappings.invalidPreview': 'must be the token of a preview of this job',
  'mappings.planChanged': 'The plan changed since the preview',
  'mappings.recordsChanged': 'Records of {sheet} changed since the preview',
  'mappings.fieldsChanged': 'Fields of {sheet} changed since the preview',
  'mappings.linkedRecordsChanged': 'Records that {sheet} refers to changed since the preview',
  'mappings.previewIncomplete': {
    one: 'The first {done} of {count} record counted: a preview counts for {seconds} seconds.',
    other: 'The first {done} of {count} records counted: a preview counts for {seconds} seconds.',
  },

  'mappings.nestNotSupported':
    'nest creates records inside cells, which sheets do not support: use array or a separate sheet',
  'mappings.astNotSupported':
    'ast rules are not supported: use arithmetic, interpolate or a workbook:mutate-records job',
  'mappings.tooManyRules': 'has {count} rules; a program has at most {limit}',
  'mappings.notARule': 'must be a rule: {example}',
  'mappings.unknownRuleType': 'must be one of {types}',
  'mappings.nestedTooDeep': {
    one: 'is nested in more than {count} subprogram',
    other: 'is nested in more than {count} subprograms',
  },
  'mappings.unknownSourceField': 'the source has no field {field}',
  'mappings.unknownDestinationField': 'the destination has no field {field}',
  'mappings.ruleFillsField': 'the rule already fills the field {field}',
  'mappings.tooFewGroups': {
    one: 'has {fields} fields, but the pattern has only {count} group',
    other: 'has {fields} fields, but the pattern has only {count} groups',
  },
  'mappings.invalidPattern': 'is not a valid pattern: {reason}',
  'mappings.unknownPlaceholder': {
    one: '{placeholder} is not a source field: there is {count}, starting at {first}',
    other: '{placeholder} is not a source field: there are {count}, starting at {first}',
  },
  'mappings.formatRequired': 'is required unless formats is set',
  'mappings.invalidDateFormat': 'is not a valid date format: {reason}',
  'mappings.datePartTwice': 'contains the same part of a date twice',
  'mappings.formatWithoutDay': 'has no day: use for example dd.MM.yyyy, M/d/yy or d LLLL yyyy',
  'mappings.filterBeforeValidation': 'cannot use "is {state}": filters run before validation',
  'mappings.invalidLanguageTag': 'must be a language tag such as {example}',

  'mappings.unexpectedCharacter': 'unexpected character at position {position}: {character}',
  'mappings.expectedInEquation': 'expected {expected} at character {position}, not {found}',
  'mappings.endOfEquation': 'the end',
  'mappings.operand': 'a number, a field or a parenthesis',
  'mappings.operator': 'an operator or the end',
  'mappings.unknownEquationField': '{name} at character {position} is not one of the source fields',
  'mappings.wrongArgumentCount': {
    one: '{name} at character {position} takes {count} number',
    other: '{name} at character {position} takes {count} numbers',
  },
  'mappings.wrongArgumentRange': '{name} at character {position} takes {minimum} to {maximum} numbers',
  'mappings.equationTooDeep': 'parentheses and signs are nested more than {count} levels deep',

  'mappings.sideRequired': 'is required',
  'mappings.sideRequiredUnless': 'is required, unless {property} is given',
  'mappings.differentSpaces': 'must be in the same space as the source',
} as const satisfies Record<string, Text>
