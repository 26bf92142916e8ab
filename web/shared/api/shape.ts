import type { components } from './schema.generated.ts'

/** A schema of the OpenAPI document. */
export type Shape<Name extends keyof components['schemas']> = components['schemas'][Name]
