/** Patterns of `like`: `%` any run of characters, `_` one character. In time linear in text times pattern. Pure. */

const ANY_RUN = Symbol('%')
const ANY_ONE = Symbol('_')
type Part = string | typeof ANY_RUN | typeof ANY_ONE

/** The characters of a pattern; a backslash takes `%`, `_` and `\` as they are. */
function partsOf(pattern: string): Part[] {
  const chars = Array.from(pattern)
  const parts: Part[] = []
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i]!
    const next = chars[i + 1]
    if (char === '\\' && (next === '%' || next === '_' || next === '\\')) {
      parts.push(next)
      i++
    } else parts.push(char === '%' ? ANY_RUN : char === '_' ? ANY_ONE : char)
  }
  return parts
}

/** The longest text without wildcards that a pattern holds. */
export function longestRun(pattern: string): string {
  const runs = ['']
  for (const part of partsOf(pattern)) {
    if (typeof part === 'string') runs[runs.length - 1] += part
    else runs.push('')
  }
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest))
}

/** A test of whole texts against a pattern; letter case counts. */
export function likeTest(pattern: string): (text: string) => boolean {
  const parts = partsOf(pattern)
  if (parts.includes(ANY_ONE)) return (text) => matches(Array.from(text), parts)
  const runs: string[] = ['']
  for (const part of parts) {
    if (part === ANY_RUN) runs.push('')
    else runs[runs.length - 1] += String(part)
  }
  return (text) => matchesRuns(text, runs)
}

/** The first run begins the text, the last ends it, the others follow each other in between. */
function matchesRuns(text: string, runs: readonly string[]): boolean {
  const first = runs[0]!
  if (runs.length === 1) return text === first
  const last = runs.at(-1)!
  if (!text.startsWith(first)) return false
  const end = text.length - last.length
  let at = first.length
  for (let i = 1; i < runs.length - 1; i++) {
    const found = text.indexOf(runs[i]!, at)
    if (found < 0) return false
    at = found + runs[i]!.length
  }
  return at <= end && text.endsWith(last)
}

/** On a mismatch the latest `%` takes one character more: earlier ones need not be tried again. */
function matches(text: readonly string[], parts: readonly Part[]): boolean {
  let at = 0
  let part = 0
  let run = -1
  let runAt = 0
  while (at < text.length) {
    const wanted = parts[part]
    if (wanted === ANY_RUN) {
      run = part++
      runAt = at
    } else if (wanted === ANY_ONE || wanted === text[at]) {
      at++
      part++
    } else if (run >= 0) {
      part = run + 1
      at = ++runAt
    } else return false
  }
  while (parts[part] === ANY_RUN) part++
  return part === parts.length
}
