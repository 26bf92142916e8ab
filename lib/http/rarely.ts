/** What few requests need, as one part that is loaded on demand. */
export { note } from './audit.ts'
export { mayRepeat, repeatable } from './idempotency.ts'
