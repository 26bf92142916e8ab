/** Messages about requests: access, limits, and the shape of input. */
import type { Text } from '../message-format.ts'

export const requestMessages = {
  'requests.missingPermission': 'This token does not have the {permission} permission.',
} as const satisfies Record<string, Text>
