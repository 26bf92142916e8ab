export const MAX_CHECKED_TEXTS = 1000
export const MAX_MERGES_PER_PROGRAM = 20
export const MAX_RECIPES_PER_ENVIRONMENT = 500
/** Larger edits are not recorded, so a recipe does not contain them. */
export const MAX_RECORDED_EDIT_BYTES = 64 * 1024
/** Commits after the import. */
export const MAX_COMMITS_PER_RECIPE = 10_000
export const MAX_MERGES_PER_IMPORT = 10_000
export const MAX_TRANSLATED_VALUES = 1000
