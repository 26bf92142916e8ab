/** `npm run check -- language`: prints every text that breaks the rules of plain-language.ts, and exits with 1 if there is one. */
import { checkRepository, MAX_COMMENT_SHARE, MAX_EXCEPTIONS } from './plain-language.ts'

const { findings, stale, exceptions, commentLines, codeLines } = checkRepository(process.cwd())
for (const { file, line, instead, text } of findings) console.error(`${file}:${line}: ${text}\n  use: ${instead}`)
for (const { file, text } of stale)
  console.error(`scripts/language-exceptions.json: this exception is no longer needed: ${file}: ${text}`)
const isTooLong = exceptions.length > MAX_EXCEPTIONS
if (isTooLong)
  console.error(`scripts/language-exceptions.json has ${exceptions.length} entries, the maximum is ${MAX_EXCEPTIONS}`)
const maxCommentLines = Math.floor(codeLines * MAX_COMMENT_SHARE)
const isOverCommented = commentLines > maxCommentLines
if (isOverCommented)
  console.error(
    `There are ${commentLines} lines of comments, the maximum for ${codeLines} lines of code is ${maxCommentLines}`,
  )
if (findings.length > 0 || stale.length > 0 || isTooLong || isOverCommented) process.exitCode = 1
