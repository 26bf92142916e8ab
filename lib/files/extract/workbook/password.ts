import { message } from '../../../../schemas/messages/index.ts'
import { type ApiError, unprocessable, unprocessablePassword } from '../../../core/errors.ts'

/** Workbooks in archives cannot be unlocked. */
export const createPasswordError = (isNested: boolean | undefined): ApiError =>
  isNested
    ? unprocessable(message('files.encryptedSpreadsheet'))
    : unprocessablePassword(message('files.passwordRequired'))
