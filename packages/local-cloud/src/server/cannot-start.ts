/** A startup error that the user can fix: printed as one line without a stack trace, exit code 1. */
export class CannotStartError extends Error {
  override name = 'CannotStartError'
}
