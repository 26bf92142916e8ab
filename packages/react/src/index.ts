export { WharfImporter, type WharfImporterProps } from './component.ts'
export { loadImporter } from './load.ts'
export type * from './types.ts'
export { type Importer, type UseImporterOptions, useWharfImporter } from './use-importer.ts'
