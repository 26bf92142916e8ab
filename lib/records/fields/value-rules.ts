/** Compiles the rules of a field. They apply to non-empty values of the right type; in lists, to each value. */
import { message } from '../../../schemas/messages/index.ts'
import { FieldRule, toRule } from '../../../schemas/sheets/rules.ts'
import type { Field, Level, Message } from '../sheet.ts'
import { compileBytePattern, isAsciiEmail } from './byte-patterns.ts'
import { createPatternTest, type EngineName, isPhoneNumber } from './engines.ts'
import { parseNumber } from './ffql/compare.ts'
import { countCharacters, isEmail, isUrl, isUuid } from './text-forms.ts'
import { valueToText } from './values.ts'

/** True if the text of the bytes passes; false if the bytes do not decide. */
export type BytesCheck = (bytes: Buffer, from: number, to: number, readText: TextReader) => boolean

export type TextReader = (from: number, to: number) => string

export interface ValueRule {
  engine: EngineName | undefined
  accepts: (value: unknown) => boolean
  acceptsNumber: ((value: number) => boolean) | undefined
  acceptsBytes: BytesCheck | undefined
  messages: readonly Message[]
}

interface Test {
  accepts: (value: unknown) => boolean
  acceptsNumber?: (value: number) => boolean
  acceptsBytes?: BytesCheck
  text: string
  engine?: EngineName
  source?: string
}

export const RULE_SOURCE = 'rule-constraint'

export function parseFieldRules(field: Field): FieldRule[] {
  return (field.constraints ?? []).flatMap((constraint) => FieldRule.safeParse(toRule(constraint)).data ?? [])
}

/** The country of such a number is in another field, so row-rules.ts validates it. */
export const isRuleOverFields = (rule: FieldRule): boolean => rule.type === 'phone' && rule.config?.countryField != null

export function compileValueRules(field: Field): ValueRule[] {
  return parseFieldRules(field)
    .filter((rule) => !isRuleOverFields(rule))
    .flatMap((rule) =>
      createTests(field, rule).map(({ engine, accepts, acceptsNumber, acceptsBytes, text, source = RULE_SOURCE }) => {
        const type: Level = rule.config?.level ?? 'error'
        const messages = [{ type, source, message: rule.config?.message || text, field: field.key }]
        return { engine, accepts, acceptsNumber, acceptsBytes, messages }
      }),
    )
}

const onText =
  (test: (text: string) => boolean): Test['accepts'] =>
  (value) =>
    test(valueToText(value))

/** A rule with several bounds has a test, and so a message, for each. */
function createTests(field: Field, rule: FieldRule): Test[] {
  switch (rule.type) {
    case 'pattern': {
      const { pattern, ignoreCase } = rule.config
      const test = createPatternTest(pattern, ignoreCase === true)
      const acceptsBytes = ignoreCase === true ? undefined : compileBytePattern(pattern)
      const text = message('records.patternMismatch')
      return [{ accepts: onText(test), ...(acceptsBytes ? { acceptsBytes } : {}), text, engine: 'patterns' }]
    }
    case 'length':
      return createLengthTests(rule.config)
    case 'range':
      return createRangeTests(field, rule.config)
    case 'oneOf':
      return [createAllowedTest(rule.config)]
    case 'phone': {
      const country = rule.config?.country ?? undefined
      const accepts = onText((text) => isPhoneNumber(text, country))
      return [{ accepts, text: message('records.notPhone'), engine: 'phones' }]
    }
    case 'email':
      return [{ accepts: onText(isEmail), acceptsBytes: isAsciiEmail, text: message('records.notEmail') }]
    case 'url':
      return [{ accepts: onText(isUrl), text: message('records.notUrl') }]
    case 'uuid':
      return [{ accepts: onText(isUuid), text: message('records.notUuid') }]
  }
}

type Config<T extends FieldRule['type']> = NonNullable<Extract<FieldRule, { type: T }>['config']>

function createLengthTests({ min, max }: Config<'length'>): Test[] {
  // A character has one or two UTF-16 units, so most texts need no counting.
  const isLongEnough = (text: string): boolean => text.length >= min! * 2 || countCharacters(text) >= min!
  const isShortEnough = (text: string): boolean => text.length <= max! || countCharacters(text) <= max!
  return [
    ...(min == null
      ? []
      : [
          {
            accepts: onText(isLongEnough),
            // A character has at most four bytes.
            acceptsBytes: (_: Buffer, from: number, to: number) => to - from > 4 * (min - 1),
            text: message('records.tooShort', { count: min }),
          },
        ]),
    ...(max == null
      ? []
      : [
          {
            accepts: onText(isShortEnough),
            acceptsBytes: (_: Buffer, from: number, to: number) => to - from <= max,
            text: message('records.tooLong', { count: max }),
          },
        ]),
  ]
}

const BOUNDS = {
  gte: { isWithin: (order: number) => order >= 0, key: 'records.mustBeAtLeast' },
  gt: { isWithin: (order: number) => order > 0, key: 'records.mustBeMore' },
  lte: { isWithin: (order: number) => order <= 0, key: 'records.mustBeAtMost' },
  lt: { isWithin: (order: number) => order < 0, key: 'records.mustBeLess' },
} as const
type Bound = keyof typeof BOUNDS

function createRangeTests({ type }: Field, config: Config<'range'>): Test[] {
  return (Object.keys(BOUNDS) as Bound[]).flatMap((name): Test[] => {
    const limit = config[name]
    if (limit == null) return []
    const { isWithin, key } = BOUNDS[name]
    const text = message(key, { limit })
    if (type === 'number') {
      const bound = Number(limit)
      const acceptsNumber = (value: number): boolean => isWithin(value - bound)
      return [{ accepts: (value) => acceptsNumber(parseNumber(value)), acceptsNumber, text }]
    }
    // Dates are stored as YYYY-MM-DD, so their order is that of their texts.
    const bound = String(limit)
    const boundBytes = Buffer.from(bound)
    const compareDates = (date: string): number => (date < bound ? -1 : date > bound ? 1 : 0)
    const acceptsBytes: BytesCheck = (bytes, from) => isWithin(compareBytes(bytes, from, boundBytes))
    return type === 'date' ? [{ accepts: onText((date) => isWithin(compareDates(date))), acceptsBytes, text }] : []
  })
}

function compareBytes(bytes: Uint8Array, from: number, expected: Uint8Array): number {
  for (let i = 0; i < expected.length; i++) {
    const order = bytes[from + i]! - expected[i]!
    if (order !== 0) return order
  }
  return 0
}

function createAllowedTest({ values, ignoreCase }: Config<'oneOf'>): Test {
  const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text)
  const allowed = new Set(values.map((value) => fold(valueToText(value))))
  return {
    accepts: onText((text) => allowed.has(fold(text))),
    text: message('records.valueNotAllowed'),
    source: 'invalid-option',
  }
}

export function findRuleMessages(rules: readonly ValueRule[], value: unknown): readonly Message[] {
  let found: Message[] | undefined
  for (const { accepts, messages } of rules) {
    if (Array.isArray(value) ? value.every(accepts) : accepts(value)) continue
    found ??= []
    found.push(...messages)
  }
  return found ?? NO_MESSAGES
}

export const NO_MESSAGES: readonly Message[] = []
