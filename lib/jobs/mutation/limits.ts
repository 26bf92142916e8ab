export const ENGINE_PATH = 'node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm'

export const MAX_SOURCE_CHARACTERS = 64 * 1024
export const SOURCE_NAME = 'mutateRecord.js'
export const MAX_MACHINE_MEGABYTES = 256

export const getCallTimeoutMs = (records: number): number => Math.max(10_000, 5 * records)
