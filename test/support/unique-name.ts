/** Names that no other test uses: test files run on threads of one process and share its platforms. */
import { randomUUID } from 'node:crypto'

export const createUniqueName = (prefix: string): string => `${prefix}-${randomUUID()}`
