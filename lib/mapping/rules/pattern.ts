/** Patterns of clients, in RE2: they take time in proportion to the text, whatever the pattern. Pure. */
import { RE2JS } from 're2js'

export class PatternError extends Error {}

/** @throws PatternError saying what is wrong */
function compiled(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    throw new PatternError((error as Error).message, { cause: error })
  }
}

/** How many groups a pattern has. */
export const groupsOf = (pattern: string): number => compiled(pattern).groupCount()

/** Gives the groups of the first match, or the match itself where the pattern has none; nothing without a match. */
export function patternOf(pattern: string): (text: string) => (string | null)[] {
  const expression = compiled(pattern)
  const groups = expression.groupCount()
  return (text) => {
    const matcher = expression.matcher(text)
    if (!matcher.find()) return []
    if (groups === 0) return [matcher.group()]
    return Array.from({ length: groups }, (_, index) => matcher.group(index + 1) ?? null)
  }
}
