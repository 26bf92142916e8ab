/** The keys of the texts: every language has all of them. */
import type { Text } from '../../../schemas/messages/format.ts'
import type en from './en.ts'

export type TextKey = keyof typeof en
export type Texts = Record<TextKey, Text>
