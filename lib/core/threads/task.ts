/** Work that needs nothing but its input, so that worker threads can do it. */
export interface Task<Setup, Input, Output> {
  name: string
  /** The main thread needs a core to read inputs and write outputs. */
  isMainBusy: boolean
  /** `setup`, inputs and outputs are cloned on their way to a thread, so they contain no functions. */
  start(setup: Setup): Promise<(input: Input) => Output | Promise<Output>>
  /** Buffers arrive as `Uint8Array`, because the clone loses their class. */
  restoreInput(input: Input): Input
  restoreOutput(output: Output): Output
}

// biome-ignore lint/suspicious/noExplicitAny: a table of tasks has tasks of all types
export type AnyTask = Task<any, any, any>

export const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export const restoreBytes = <T extends { raw?: Buffer; packed?: Buffer | undefined }>(item: T): T => ({
  ...item,
  ...(item.raw ? { raw: toBuffer(item.raw) } : {}),
  ...(item.packed ? { packed: toBuffer(item.packed) } : {}),
})
