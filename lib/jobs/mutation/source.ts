/** A user's function as text, made a program that evaluates to it. Compiles, never runs. Pure. */
import { Script } from 'node:vm'
import { invalidField } from '../../core/errors.ts'
import { SOURCE_CHARACTERS, SOURCE_NAME } from './limits.ts'

const LEAD = /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*(?:export\s+default\s+|(?:module\.)?exports(?:\.\w+)?\s*=\s*)?/
const FUNCTION = /^(?:async\b\s*)?(?:function\b|(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|[\w$]+)\s*=>)/
const NAMED = /\b(?:function\s*|(?:const|let|var)\s+)mutateRecord\b/

/**
 * A program whose value is the function: the text is a function expression, a program that declares `mutateRecord`, or a
 * function's body that speaks of `record`. Lines keep their numbers.
 * @throws ApiError invalid under `key` for a text that is no JavaScript, or too long
 */
export function programOf(source: string, key: string): string {
  if (source.length > SOURCE_CHARACTERS)
    throw invalidField(key, `has ${source.length} characters: a function may have ${SOURCE_CHARACTERS}`)
  const program = formOf(source)
  try {
    new Script(program, { filename: SOURCE_NAME })
  } catch (error) {
    throw invalidField(key, `is not a JavaScript function of a record: ${(error as Error).message}`)
  }
  return program
}

function formOf(source: string): string {
  const lead = LEAD.exec(source)![0]
  const text = source.slice(lead.length)
  const lines = '\n'.repeat(lead.split('\n').length - 1)
  if (FUNCTION.test(text) && isExpression(text)) return `${lines}(${text.trimEnd().replace(/;$/, '')}\n)`
  if (NAMED.test(source)) return `${source}\n;mutateRecord`
  return `(function (record) {${source}\n})`
}

/** Alone: not followed by further statements. */
function isExpression(text: string): boolean {
  try {
    new Script(`(${text.trimEnd().replace(/;$/, '')}\n)`)
    return true
  } catch {
    return false
  }
}
