/** Messages about files: uploads, reading, and exports. */
import type { Text } from '../message-format.ts'

export const fileMessages = {
  'files.noName': 'The file has no name',
} as const satisfies Record<string, Text>
