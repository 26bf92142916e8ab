/**
 * A reason the cloud cannot start that its user can mend: one line to print, no stack trace; the process ends with 1.
 */
export class CannotStartError extends Error {
  override name = 'CannotStartError'
}
