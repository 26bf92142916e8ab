/** Messages about recipes: their steps, and how the steps fit a file. */
import type { Text } from './format.ts'

export const recipeMessages = {
  'recipes.assign': 'Put “{column}” into “{field}”',
  'recipes.translate': {
    one: 'Put “{column}” into “{field}”, with {count} value translated',
    other: 'Put “{column}” into “{field}”, with {count} values translated',
  },
  'recipes.read': 'Read “{field}” as {form}',
  'recipes.readInto': 'Read “{column}” as {form}, into “{field}”',
  'recipes.datesDmy': 'dates with the day before the month',
  'recipes.datesMdy': 'dates with the month before the day',
  'recipes.datesYmd': 'dates with the year first',
  'recipes.dates': 'dates',
  'recipes.numbersWith': 'numbers with the decimal mark “{mark}”',
  'recipes.numbers': 'numbers',
  'recipes.booleans': 'yes or no',
  'recipes.options': 'options',
  'recipes.texts': 'texts without invisible characters',
  'recipes.emails': 'email addresses',
  'recipes.phones': 'phone numbers',
  'recipes.urls': 'web addresses',
  'recipes.times': 'times of day',
  'recipes.replace': 'In “{field}”, replace “{from}” by “{to}”',
  'recipes.replaceMany': {
    one: 'In “{field}”, replace “{from}” by “{to}”, and {count} more value',
    other: 'In “{field}”, replace “{from}” by “{to}”, and {count} more values',
  },
  'recipes.split': 'Split “{field}” at “{separator}”',
  'recipes.onlyLike': '{step}, only for texts like “{pattern}”',
  'recipes.onlyRows': '{step}, only for rows with {filter}',
  'recipes.rule': 'Apply the rule “{name}” to “{field}”',
  'recipes.merge': 'Merge records with the same {fields}',
  'recipes.mergeNear': {
    one: 'Merge records whose {fields} differ by at most {count} letter',
    other: 'Merge records whose {fields} differ by at most {count} letters',
  },

  'recipes.noColumn': 'The file has no column “{column}”.',
  'recipes.noField': 'The sheet has no field “{field}”.',
  'recipes.otherType': 'The field “{field}” has the type {type} instead of {before}.',
  'recipes.notFilled': 'No earlier step fills the field “{field}”.',
  'recipes.readsTooFew': 'Only {read} of {total} different texts can be read this way.',
  'recipes.otherWay': 'Texts such as “{example}” are written another way.',
  'recipes.invalid': 'It does not fit the sheets: {problem}',
  'recipes.tooManyGroups': 'More than {limit} groups of duplicates were found.',
  'recipes.largeGroup': 'A group has more than {limit} duplicates.',

  'recipes.used': {
    one: 'Recipe “{name}”: {applied} of {count} step applied.',
    other: 'Recipe “{name}”: {applied} of {count} steps applied.',
  },
  'recipes.stepDoesNotFit': '{step}: {problem}',

  'recipes.selectedEdit': 'An edit of “{field}” was limited to selected records.',
  'recipes.largeEdit': 'An edit of “{field}” is larger than {limit} bytes.',
  'recipes.plainMerge': 'A merge did not say how its duplicates were found.',
  'recipes.otherChanges': {
    one: '{count} other change of records cannot be repeated.',
    other: '{count} other changes of records cannot be repeated.',
  },
  'recipes.notImported': 'A recipe is made from a completed import.',
  'recipes.importUndone': 'The import was undone.',
  'recipes.tooManyCommits': 'The sheet has more than {limit} commits since the import.',
  'recipes.tooMany': 'The environment has {limit} recipes, the maximum. Delete one first.',
  'recipes.notRecipe': 'The program is not a recipe',
  'recipes.onlyOneSource': 'cannot be combined with mappingRules or programId',
} as const satisfies Record<string, Text>
