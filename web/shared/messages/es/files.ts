import type { Text } from '../../../../schemas/message-format.ts'
import type { fileMessages } from '../../../../schemas/messages/files.ts'

export const files: Record<keyof typeof fileMessages, Text> = {
  'files.noName': 'El archivo no tiene nombre',
}
