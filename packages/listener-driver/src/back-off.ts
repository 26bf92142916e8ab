/** Waits between attempts: doubling from half a second to half a minute, each by chance between half and whole. */
const FIRST_MS = 500
const LONGEST_MS = 30_000

export const backOffMs = (attempt: number): number =>
  Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10)) * (0.5 + Math.random() / 2)

/** Waits, or until the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}
