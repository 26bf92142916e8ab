/** Patterns of clients, in RE2, whose running time is linear in the text for every pattern. Pure. */
import { RE2JS } from 're2js'
import { message } from '../../../schemas/messages/index.ts'

export class PatternError extends Error {}

function compilePattern(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    throw new PatternError(message('mappings.invalidPattern', { reason: (error as Error).message }), { cause: error })
  }
}

export const countGroups = (pattern: string): number => compilePattern(pattern).groupCount()

/** Returns the groups of the first match, or the whole match if the pattern has no groups; empty without a match. */
export function createExtractor(pattern: string): (text: string) => (string | null)[] {
  const expression = compilePattern(pattern)
  const groups = expression.groupCount()
  return (text) => {
    const matcher = expression.matcher(text)
    if (!matcher.find()) return []
    if (groups === 0) return [matcher.group()]
    return Array.from({ length: groups }, (_, index) => matcher.group(index + 1) ?? null)
  }
}
