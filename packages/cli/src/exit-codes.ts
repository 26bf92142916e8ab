export const EXIT_CODES = { failure: 1, usage: 2, questions: 3 } as const

/** The command cannot run as it was called. */
export class UsageError extends Error {}
