/** What listeners filter a thing's events by, kept on the thing: `space:<name>`, `workbook:<name>`, `sheet:<name>`. */
import * as z from 'zod'

export const Namespaces = z.array(z.string()).optional()
