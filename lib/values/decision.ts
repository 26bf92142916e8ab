import type { Reading, ReadingQuestion } from '../../schemas/programs/readings.ts'

export interface Decision<R extends Reading = Reading> {
  reading: R
  question?: ReadingQuestion | undefined
}

export const EXAMPLES = 3

export function pushExample(examples: string[], text: string): void {
  if (examples.length < EXAMPLES && !examples.includes(text)) examples.push(text)
}
