import type { Text } from '../../../../schemas/messages/format.ts'
import type { builder } from './en.ts'

export type BuilderTexts = Record<keyof typeof builder, Text>
