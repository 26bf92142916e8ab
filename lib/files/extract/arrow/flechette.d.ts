/** Modules of flechette whose types are in another folder of the package. */
declare module '@uwdata/flechette/src/compression.js' {
  export * from '@uwdata/flechette/dist/types/compression.js'
}
declare module '@uwdata/flechette/src/constants.js' {
  export * from '@uwdata/flechette/dist/types/constants.js'
}
declare module '@uwdata/flechette/src/decode/block.js' {
  export * from '@uwdata/flechette/dist/types/decode/block.js'
}
declare module '@uwdata/flechette/src/decode/dictionary-batch.js' {
  export * from '@uwdata/flechette/dist/types/decode/dictionary-batch.js'
}
declare module '@uwdata/flechette/src/decode/record-batch.js' {
  export * from '@uwdata/flechette/dist/types/decode/record-batch.js'
}
declare module '@uwdata/flechette/src/decode/schema.js' {
  export * from '@uwdata/flechette/dist/types/decode/schema.js'
}
declare module '@uwdata/flechette/src/decode/table-from-ipc.js' {
  export * from '@uwdata/flechette/dist/types/decode/table-from-ipc.js'
}
declare module '@uwdata/flechette/src/data-types.js' {
  export * from '@uwdata/flechette/dist/types/data-types.js'
}
