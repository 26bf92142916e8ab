import { Domains } from './domains.generated.ts'

/** A client of all domains. For a small bundle, pass a `Client` to the classes of single domains instead. */
export class Wharf extends Domains {}
