/** Share of the runs: a tenth in `npm test`, all in `npm run test:full`. `TEST_RUNS=20` is the nightly run. */
const SHARE = Number(process.env.TEST_RUNS ?? 0.1)

export const IS_LONG_RUN = SHARE > 1

export const runs = (full: number, least = 1): number => Math.max(least, Math.ceil(full * SHARE))

export const TIMEOUT_MS = 240_000 * Math.max(1, SHARE)
