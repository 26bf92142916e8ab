/** Where the engine of mutations is, and what a user's function may take. */

/** The same path in the repository and in the function's package (scripts/build.ts). */
export const ENGINE_PATH = 'node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm'

/** The text of a function has at most this many characters. */
export const SOURCE_CHARACTERS = 64 * 1024
/** Names the text in errors. */
export const SOURCE_NAME = 'mutateRecord.js'
/** What a function may hold: the records of one call and all it makes of them. */
export const MACHINE_MEGABYTES = 256

/** A function may take 5 ms for each record of a call, and at least 10 s. */
export const callMilliseconds = (records: number): number => Math.max(10_000, 5 * records)
