import type { FormatOptions } from '../../lib/files/extract/formats.ts'

export interface Hostile {
  name: string
  bytes(): Buffer
  options?: FormatOptions
  refusal: RegExp
}
