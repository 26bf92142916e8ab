/** Further patterns and messages count in one group per field and rule. */
export const MAX_QUALITY_GROUPS = 10_000
export const MAX_EXAMPLES_PER_GROUP = 3
export const MAX_PATTERN_LENGTH = 60
export const MAX_REPLACEMENTS_PER_EDIT = 1000
export const MAX_CLUSTER_RADIUS = 3
/** Longer values are compared by the other methods only. */
export const MAX_DISTANCE_LENGTH = 200
export const MAX_DISTANCE_VALUES = 200_000
export const MAX_DISTANCE_COMPARISONS = 20_000_000
export const MAX_DUPLICATE_FIELDS = 10
export const MAX_RECORDS_PER_DUPLICATE_GROUP = 100
export const MAX_MERGES_PER_CALL = 1000
export const MAX_LINK_TARGETS = 200_000
