/** The code of a thread. Bundlers put the bundle of lib/threads/thread.ts here (scripts/bundled/thread-code.mjs). */
export const THREAD_CODE: string | undefined = undefined
