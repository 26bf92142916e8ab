/** Classifies cell texts, only to separate headers from data and to score delimiters. Pure. */

export type Kind = 'blank' | 'number' | 'date' | 'address' | 'boolean' | 'text'

const PATTERNS: [Kind, RegExp][] = [
  ['blank', /^\s*$/],
  ['date', /^\s*\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?:[T ]\d.*)?\s*$/],
  ['number', /^\s*[-+(]?\s?[$€£¥]?\s?(?:\d+(?:[.,' ]\d+)*[.,]?|[.,]\d+)(?:e[-+]?\d+)?\s?[%$€£¥]?\)?\s*$/i],
  ['address', /^\s*(?:[^\s@]+@[^\s@]+\.[^\s@]+|https?:\/\/\S+)\s*$/i],
  ['boolean', /^\s*(?:true|false)\s*$/i],
]
const MAX_CHARACTERS = 200

export const detectKind = (cell: string): Kind =>
  cell.length > MAX_CHARACTERS ? 'text' : (PATTERNS.find(([, pattern]) => pattern.test(cell))?.[0] ?? 'text')
