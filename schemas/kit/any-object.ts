/** An object whose properties the client chooses. */
import * as z from 'zod'

export const AnyObject = z.record(z.string(), z.unknown())
