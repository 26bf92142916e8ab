/** What every language has to say. */
import type en from './en.ts'

export type TextKey = keyof typeof en
export type Texts = Record<TextKey, string>
