/** What kind of value a cell's text looks like; only to tell headers from data and delimiters apart. Pure. */

export type Kind = 'blank' | 'number' | 'date' | 'address' | 'boolean' | 'text'

const FORMS: [Kind, RegExp][] = [
  ['blank', /^\s*$/],
  ['date', /^\s*\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?:[T ]\d.*)?\s*$/],
  ['number', /^\s*[-+(]?\s?[$€£¥]?\s?(?:\d+(?:[.,' ]\d+)*[.,]?|[.,]\d+)(?:e[-+]?\d+)?\s?[%$€£¥]?\)?\s*$/i],
  ['address', /^\s*(?:[^\s@]+@[^\s@]+\.[^\s@]+|https?:\/\/\S+)\s*$/i],
  ['boolean', /^\s*(?:true|false)\s*$/i],
]
/** Longer texts are no such value; the forms are not tried on them. */
const LONGEST = 200

export const kindOf = (cell: string): Kind =>
  cell.length > LONGEST ? 'text' : (FORMS.find(([, form]) => form.test(cell))?.[0] ?? 'text')
