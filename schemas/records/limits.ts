export const MAX_RECORDS_PER_CALL = 10_000
export const MAX_RECORDS_PER_SHEET = 10_000_000
export const MIN_RECORDS_PER_EVENT = 100
export const MAX_PARTS_PER_COMMIT = MAX_RECORDS_PER_SHEET / MIN_RECORDS_PER_EVENT
/** A worksheet has 1,048,576 rows, one of them for the header. */
export const MAX_RECORDS_PER_WORKSHEET = 1_048_575
export const MAX_UNDONE_CHANGES = 100_000
export const MAX_IDS_PER_EVENT = 7_000
/** Further events of created and deleted records of a commit have more ids and use a claim check. */
export const INLINE_ID_EVENTS = 8
export const INLINE_IDS_PER_EVENT = 5_000

/** Further `records:updated` events of a commit use a claim check. Most requests stay below this. */
export const INLINE_UPDATE_EVENTS = 32
