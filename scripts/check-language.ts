/** `npm run check -- language`: prints every text that breaks the rules of plain-language.ts, and exits with 1 if there is one. */
import { checkRepository, MAX_COMMENT_LINES, MAX_EXCEPTIONS } from './plain-language.ts'

const { findings, stale, exceptions, commentLines } = checkRepository(process.cwd())
for (const { file, line, instead, text } of findings) console.error(`${file}:${line}: ${text}\n  use: ${instead}`)
for (const { file, text } of stale)
  console.error(`scripts/language-exceptions.json: this exception is no longer needed: ${file}: ${text}`)
const isTooLong = exceptions.length > MAX_EXCEPTIONS
if (isTooLong)
  console.error(`scripts/language-exceptions.json has ${exceptions.length} entries, the maximum is ${MAX_EXCEPTIONS}`)
const isOverCommented = commentLines > MAX_COMMENT_LINES
if (isOverCommented) console.error(`There are ${commentLines} lines of comments, the maximum is ${MAX_COMMENT_LINES}`)
if (findings.length > 0 || stale.length > 0 || isTooLong || isOverCommented) process.exitCode = 1
