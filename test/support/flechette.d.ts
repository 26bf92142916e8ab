declare module '@uwdata/flechette/src/encode/encode-ipc.js' {
  export function encodeIPC(
    data: object,
    options: { format: 'stream' | 'file'; codec?: number },
  ): { finish(): Uint8Array }
}
