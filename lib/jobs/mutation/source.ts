/** Turns the source text of a user's function into a program that evaluates to it. Compiles it but never runs it. */
import { Script } from 'node:vm'
import { message } from '../../../schemas/messages/index.ts'
import { invalidField } from '../../core/errors.ts'
import { MAX_SOURCE_CHARACTERS, SOURCE_NAME } from './limits.ts'

const LEADING_TEXT =
  /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*(?:export\s+default\s+|(?:module\.)?exports(?:\.\w+)?\s*=\s*)?/
const FUNCTION = /^(?:async\b\s*)?(?:function\b|(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|[\w$]+)\s*=>)/
const NAMED_FUNCTION = /\b(?:function\s*|(?:const|let|var)\s+)mutateRecord\b/

/** Accepts an expression, a program that declares `mutateRecord`, or a body that uses `record`. Keeps line numbers. */
export function buildFunctionProgram(source: string, key: string): string {
  if (source.length > MAX_SOURCE_CHARACTERS)
    throw invalidField(key, message('mutations.tooLong', { count: source.length, limit: MAX_SOURCE_CHARACTERS }))
  const program = wrapSource(source)
  try {
    new Script(program, { filename: SOURCE_NAME })
  } catch (error) {
    throw invalidField(key, message('mutations.notAFunction', { reason: (error as Error).message }))
  }
  return program
}

function wrapSource(source: string): string {
  const lead = LEADING_TEXT.exec(source)![0]
  const text = source.slice(lead.length)
  const lines = '\n'.repeat(lead.split('\n').length - 1)
  if (FUNCTION.test(text) && isExpression(text)) return `${lines}(${text.trimEnd().replace(/;$/, '')}\n)`
  if (NAMED_FUNCTION.test(source)) return `${source}\n;mutateRecord`
  return `(function (record) {${source}\n})`
}

function isExpression(text: string): boolean {
  try {
    new Script(`(${text.trimEnd().replace(/;$/, '')}\n)`)
    return true
  } catch {
    return false
  }
}
