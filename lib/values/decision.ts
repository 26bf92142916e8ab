import type { DateReading, NumberReading, Reading, ReadingQuestion } from '../../schemas/programs/readings.ts'

export interface Decision<R extends Reading = Reading> {
  reading: R
  question?: ReadingQuestion | undefined
}

export interface DateHabits extends Pick<DateReading, 'orders'> {
  /** The orders that the language of the headers has. */
  nativeOrders?: DateReading['orders']
}

/** How the other columns of the file are written. A column that leaves it open is written in the same way. */
export interface FileHabits extends Pick<NumberReading, 'decimalMark'>, DateHabits {
  /** Words for a missing value that several columns have, in lower case. */
  missingWords: ReadonlySet<string>
}

export const EXAMPLES = 3

export function pushExample(examples: string[], text: string): void {
  if (examples.length < EXAMPLES && !examples.includes(text)) examples.push(text)
}
