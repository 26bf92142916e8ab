const MIN_DELAY_MS = 500
const MAX_DELAY_MS = 30_000

export const backOffMs = (attempt: number): number =>
  Math.min(MAX_DELAY_MS, MIN_DELAY_MS * 2 ** Math.min(attempt, 10)) * (0.5 + Math.random() / 2)

export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    signal.addEventListener('abort', finish)
  })
}
