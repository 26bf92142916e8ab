/** How much more than `npm test` is done: the nightly run multiplies histories, writers' edits and kills by `MODEL_RUNS`. */
export const RUNS = Number(process.env.MODEL_RUNS ?? 1)

/** Milliseconds such a test may take. */
export const PATIENCE = 240_000 * RUNS
