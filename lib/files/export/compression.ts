/** Level 6 takes three times as long. */
export const FAST_LEVEL = 1
