/** What few requests need, as one part that is loaded on demand. */
export { note } from './audit.ts'
export { repeatable } from './idempotency.ts'
