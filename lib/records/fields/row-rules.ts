/** Compiles rules over several fields of a record. Like duplicates, the records that break one are stored as flags. */
import { message } from '../../../schemas/messages/index.ts'
import { type COMPARISONS, SheetRule, toRule } from '../../../schemas/sheets/rules.ts'
import { hashInto, toHex } from '../columns/hash.ts'
import type { Field, Level, SheetRef } from '../sheet.ts'
import { type EngineName, findCountry, isPhoneNumber } from './engines.ts'
import { compareScalars } from './ffql/compare.ts'
import { type Condition, parseQuery } from './ffql/parser.ts'
import { compileRowCondition, findConditionProblem, type ReadValue } from './ffql/row-condition.ts'
import type { FlagRule } from './flag-rules.ts'
import { isRuleOverFields, parseFieldRules, RULE_SOURCE } from './value-rules.ts'
import { valueToText } from './values.ts'

export interface RowRule extends FlagRule {
  engine: EngineName | undefined
  /** Whether more than empty and not empty matters of a field. */
  readsValue: (at: number) => boolean
  isBrokenBy: (read: ReadValue) => boolean
}

interface Draft {
  fields: readonly string[]
  marks: readonly string[]
  isBrokenBy: RowRule['isBrokenBy']
  text: string
  source: string
  /** Part of the rule's id: settings of the sheet that change its result. */
  context?: unknown
  readsValue?: RowRule['readsValue']
  engine?: EngineName
}

/** Rules that name missing fields are left out; the API rejects them. */
export function compileRowRules(sheet: SheetRef): RowRule[] {
  const fields = new Map(sheet.fields.map((field) => [field.key, field]))
  const sheetRules = (sheet.constraints ?? []).flatMap(
    (constraint) => SheetRule.safeParse(toRule(constraint)).data ?? [],
  )
  const rules = [
    ...sheetRules.flatMap((rule) => finish(fields, rule, draftRule(fields, rule))),
    ...sheet.fields.flatMap((field) => compilePhoneRules(fields, field)),
  ]
  return [...new Map(rules.map((rule) => [rule.id, rule])).values()]
}

type Fields = ReadonlyMap<string, Field>
type Settings = {
  config?: { level?: Level | null | undefined; message?: string | null | undefined } | null | undefined
}

/** The id names the level and the marked field, so that flags of former rules can be explained. */
function finish(fields: Fields, rule: Settings, draft: Draft | undefined): RowRule[] {
  if (!draft || [...draft.fields, ...draft.marks].some((key) => !fields.has(key))) return []
  const { readsValue = () => true, engine, text, source, context, ...rest } = draft
  const type = rule.config?.level ?? 'error'
  const field = draft.marks.length === 1 ? { field: draft.marks[0]! } : {}
  return [
    {
      ...rest,
      engine,
      readsValue,
      id: `${type}:rule:${hashText(JSON.stringify([rule, context]))}:${draft.marks[0]}`,
      message: { type, source, message: rule.config?.message || text, ...field },
    },
  ]
}

function hashText(text: string): string {
  const hi = new Uint32Array(1)
  const lo = new Uint32Array(1)
  hashInto(text, hi, lo, 0)
  return toHex(hi[0]!, lo[0]!)
}

function draftRule(fields: Fields, rule: SheetRule): Draft | undefined {
  switch (rule.type) {
    case 'required-with': {
      const { field, with: others } = rule.config
      return {
        fields: [field, ...others],
        marks: [field],
        isBrokenBy: (read) => read(0) === null && others.some((_, i) => read(i + 1) !== null),
        text: message('records.requiredWith', { fields: others.map((key) => toLabel(fields, key)).join(', ') }),
        source: 'required-constraint',
        readsValue: () => false,
      }
    }
    case 'required-if': {
      const { field, when } = rule.config
      const condition = compileWhen(fields, when)
      return (
        condition && {
          fields: [field, ...condition.fields],
          marks: [field],
          isBrokenBy: (read) => read(0) === null && condition.matches((at) => read(at + 1)),
          readsValue: (at) => at > 0,
          text: message('records.requiredIf'),
          source: 'required-constraint',
          context: condition.parsed,
        }
      )
    }
    case 'compare':
      return draftComparison(fields, rule.config)
    case 'rule': {
      const condition = compileWhen(fields, rule.config.when)
      return (
        condition && {
          fields: condition.fields,
          marks: rule.config.field == null ? condition.fields : [rule.config.field],
          isBrokenBy: condition.matches,
          text: rule.config.message,
          source: RULE_SOURCE,
          context: condition.parsed,
        }
      )
    }
  }
}

const toLabel = (fields: Fields, key: string): string => fields.get(key)?.label || key

function compileWhen(fields: Fields, when: string) {
  const parsed = parseCondition(fields, when)
  if (!parsed || findConditionProblem(parsed)) return undefined
  return { parsed, ...compileRowCondition(parsed, (key) => fields.get(key)!.type) }
}

function parseCondition(fields: Fields, when: string): Condition | undefined {
  try {
    return parseQuery(
      when,
      [...fields.values()].map(({ key, label }) => ({ key, label: label ?? undefined })),
    )
  } catch {
    return undefined
  }
}

type Comparison = (typeof COMPARISONS)[number]
const COMPARISON_TEXTS = {
  eq: 'records.mustEqual',
  ne: 'records.mustDiffer',
  lt: 'records.mustBeLess',
  lte: 'records.mustBeAtMost',
  gt: 'records.mustBeMore',
  gte: 'records.mustBeAtLeast',
} as const satisfies Record<Comparison, string>

function draftComparison(
  fields: Fields,
  { field, operator, other }: { field: string; operator: Comparison; other: string },
): Draft {
  const type = fields.get(field)?.type ?? 'string'
  return {
    fields: [field, other],
    marks: [field],
    isBrokenBy: (read) => {
      const [left, right] = [read(0), read(1)]
      return left !== null && right !== null && compareScalars(operator, type, left, right) === false
    },
    text: message(COMPARISON_TEXTS[operator], { limit: toLabel(fields, other) }),
    source: RULE_SOURCE,
  }
}

function compilePhoneRules(fields: Fields, field: Field): RowRule[] {
  return parseFieldRules(field)
    .filter(isRuleOverFields)
    .flatMap((rule) => {
      if (rule.type !== 'phone') return []
      return finish(fields, rule, {
        fields: [field.key, rule.config!.countryField!],
        marks: [field.key],
        isBrokenBy: (read) => {
          const [numbers, country] = [read(0), read(1)]
          const code = country === null ? undefined : findCountry(valueToText(country))
          const isInvalid = (number: unknown): boolean => !isPhoneNumber(valueToText(number), code)
          return numbers !== null && (Array.isArray(numbers) ? numbers.some(isInvalid) : isInvalid(numbers))
        },
        text: message('records.notPhone'),
        source: RULE_SOURCE,
        context: field.key,
        engine: 'phones',
      })
    })
}
