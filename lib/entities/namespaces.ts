/** Namespaces by which listeners filter a resource's events: `space:<name>`, `workbook:<name>`, `sheet:<name>`. */
import * as z from 'zod'

export const Namespaces = z.array(z.string()).optional()
