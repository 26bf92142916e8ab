import { message } from '../../schemas/messages/index.ts'
import type { ReadingProblem } from '../../schemas/values/shape.ts'

type Meaning = string | number | boolean

export function describeProblem(type: string, problem: ReadingProblem, meanings: readonly Meaning[]): string {
  if (meanings.length > 0)
    return message('values.severalMeanings', { alternatives: meanings.map(formatMeaning).join(', ') })
  switch (problem) {
    case 'impossible':
      return message('records.impossibleDate')
    case 'time':
      return message('records.dateWithTime')
    case 'short-year':
      return message('records.shortYear')
    case 'unit':
      return message('values.otherUnit')
    case 'too-long':
      return message('records.numberTooLong')
    case 'not-an-option':
      return message('records.notOption')
    case 'ambiguous':
    case 'unreadable':
      return UNREADABLE[type] ?? message('records.notText')
  }
}

const UNREADABLE: { readonly [type: string]: string } = {
  number: message('records.notNumber'),
  date: message('records.notDate'),
  boolean: message('records.notBoolean'),
  email: message('values.notEmail'),
  phone: message('values.notPhone'),
  url: message('values.notUrl'),
  time: message('values.notTime'),
}

/** A number with three decimals gets a fourth, because `1.234` has two meanings again. */
function formatMeaning(value: Meaning): string {
  const text = String(value)
  return typeof value === 'number' && /^-?[1-9]\d{0,2}\.\d{3}$/.test(text) ? `${text}0` : text
}
