/** Further patterns and messages count in one group per field and rule. */
export const MAX_QUALITY_GROUPS = 10_000
export const MAX_EXAMPLES_PER_GROUP = 3
/** Longer patterns are cut. */
export const MAX_PATTERN_LENGTH = 60
export const MAX_REPLACEMENTS_PER_EDIT = 1000
