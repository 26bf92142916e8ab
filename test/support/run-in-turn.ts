/** Multiplier for the nightly run: `MODEL_RUNS` times as many histories, edits and kills as `npm test`. */
export const RUN_MULTIPLIER = Number(process.env.MODEL_RUNS ?? 1)

export const TIMEOUT_MS = 240_000 * RUN_MULTIPLIER
