/**
 * A sheet's fields and constraints made ready to judge values. The signature names exactly what judging depends on:
 * stored messages carry the signature they were made under, so a changed constraint shows. Pure.
 */
import { hashInto, hexOf } from '../bytes/hash.ts'
import type { Field, Level, Message, MessageInput, SheetConstraint, SheetRef } from '../sheet.ts'
import { checkOf, configOf, storedValue, takesAnyText, textOf, type ValueCheck } from './values.ts'

/** The chunk of a field's values; other chunks of a segment have names without a dot. */
export const valueColumn = (fieldKey: string): string => `v.${fieldKey}`
export const fieldOfColumn = (column: string): string | undefined =>
  column.startsWith('v.') ? column.slice(2) : undefined

export interface FieldRules {
  key: string
  label: string | undefined
  type: string
  column: string
  /** On an empty cell. */
  required: Message | undefined
  /** On a cell that is not empty. */
  check: (value: unknown) => Message | undefined
  anyText: boolean
}

/** A rule that cannot be judged by a row alone: rows it is broken by are flagged in the state. */
export interface FlagRule {
  /** Starts with its level, so that stored flags say whether they are errors. */
  id: string
  /** The fields a row is compared by. */
  fields: readonly string[]
  /** The fields whose cells carry the message. */
  marks: readonly string[]
  message: Message
}

/** One uniqueness rule: of a field, or of several fields of the sheet. */
export interface UniqueRule extends FlagRule {
  requiredFields: readonly string[]
  caseSensitive: boolean
  ignoreEmpty: boolean
}

/** The values of a field must be found in another sheet. */
export interface ReferenceRule extends FlagRule {
  field: string
  /** Slug of the sheet. */
  ref: string
  /** The field there that is looked in. */
  key: string
  /** Only records there whose `refField` equals this record's `recordField` count. */
  filter: { refField: string; recordField: string } | undefined
  /** A cell links to one record at most. */
  hasOne: boolean
}

export interface SheetRules {
  sheetId: string
  fields: readonly FieldRules[]
  byKey: ReadonlyMap<string, FieldRules>
  unique: readonly UniqueRule[]
  references: readonly ReferenceRule[]
  /** Both. */
  flagRules: readonly FlagRule[]
  signature: string
}

const LEVELS = new Set<unknown>(['error', 'warn', 'info'])
const levelOf = (value: unknown): Level => (LEVELS.has(value) ? (value as Level) : 'error')
const textOr = (value: unknown, fallback: string): string => (typeof value === 'string' && value ? value : fallback)

/** A rule's level stands first in its id: `error:field:email`. */
export const isErrorRule = (ruleId: string): boolean => ruleId.startsWith('error:')

const compiled = new WeakMap<readonly Field[], { constraints: SheetRef['constraints']; rules: SheetRules }>()

/** Compiles once per `fields` array (taken to be immutable): callers that keep a sheet keep its rules. */
export function rulesOf(sheet: SheetRef): SheetRules {
  const known = compiled.get(sheet.fields)
  if (known && known.rules.sheetId === sheet.sheetId && known.constraints === sheet.constraints) return known.rules
  const rules = compile(sheet)
  compiled.set(sheet.fields, { constraints: sheet.constraints, rules })
  return rules
}

function compile(sheet: SheetRef): SheetRules {
  const fields = sheet.fields.map(fieldRules)
  const unique = uniqueRules(sheet)
  const references = sheet.fields.flatMap(referenceRule)
  return {
    sheetId: sheet.sheetId,
    fields,
    byKey: new Map(fields.map((field) => [field.key, field])),
    unique,
    references,
    flagRules: [...unique, ...references],
    signature: signatureOf(sheet),
  }
}

function fieldRules(field: Field): FieldRules {
  const required = field.constraints?.find((constraint) => constraint.type === 'required')
  const config = required && !isIndeterminate(field) ? configOf(required) : undefined
  return {
    key: field.key,
    label: field.label ?? undefined,
    type: field.type,
    column: valueColumn(field.key),
    required: config && {
      type: levelOf(config.level),
      source: 'required-constraint',
      message: textOr(config.message, 'This field is required'),
      field: field.key,
    },
    check: messageOf(field.key, checkOf(field)),
    anyText: takesAnyText(field),
  }
}

/** An empty cell of such a boolean is its third value: nothing is missing. */
const isIndeterminate = (field: Field): boolean =>
  field.type === 'boolean' && configOf(field).allowIndeterminate === true

/** Gives each problem of a field one shared message object: messages are compared and stored by identity. */
function messageOf(field: string, check: ValueCheck): (value: unknown) => Message | undefined {
  const made = new Map<object, Message>()
  return (value) => {
    const problem = check(value)
    if (!problem) return undefined
    let message = made.get(problem)
    if (!message) {
      message = { type: 'error', source: problem.source, message: problem.message, field }
      made.set(problem, message)
    }
    return message
  }
}

function uniqueRules(sheet: SheetRef): UniqueRule[] {
  const ofFields = sheet.fields.flatMap((field) =>
    (field.constraints ?? [])
      .filter((constraint) => constraint.type === 'unique')
      .slice(0, 1)
      .map((constraint) => uniqueRule(`field:${field.key}`, [field.key], [], configOf(constraint))),
  )
  const known = new Set(sheet.fields.map((field) => field.key))
  const ofSheet = (sheet.constraints ?? []).flatMap((constraint, index) => {
    const fields = constraint.type === 'unique' ? (constraint.fields ?? []).filter((key) => known.has(key)) : []
    return fields.length
      ? [
          uniqueRule(
            `sheet:${constraint.name ?? index}`,
            fields,
            (constraint.requiredFields ?? []).filter((key) => fields.includes(key)),
            configOf(constraint),
          ),
        ]
      : []
  })
  return [...ofFields, ...ofSheet]
}

/** Empty cells are not compared unless `ignoreEmpty: false` says so; letter case counts unless `caseSensitive: false`. */
function uniqueRule(
  name: string,
  fields: string[],
  requiredFields: string[],
  config: { readonly [key: string]: unknown },
): UniqueRule {
  const type = levelOf(config.level)
  const text = fields.length > 1 ? 'This combination of values is not unique' : 'This value is not unique'
  return {
    id: `${type}:${name}`,
    fields,
    marks: fields,
    requiredFields,
    caseSensitive: config.caseSensitive !== false,
    ignoreEmpty: config.ignoreEmpty !== false,
    message: {
      type,
      source: 'unique-constraint',
      message: textOr(config.message, text),
      ...(fields.length === 1 ? { field: fields[0] } : {}),
    },
  }
}

export const isReferenceType = (type: string): boolean => type === 'reference' || type === 'reference-list'

function referenceRule(field: Field): ReferenceRule[] {
  const { ref, key, filter, relationship } = configOf(field)
  if (!isReferenceType(field.type) || typeof ref !== 'string' || typeof key !== 'string') return []
  const { refField, recordField } = configOf({ config: filter })
  const filtered = typeof refField === 'string' && typeof recordField === 'string'
  return [
    {
      id: `error:link:${field.key}`,
      field: field.key,
      fields: filtered ? [field.key, recordField] : [field.key],
      marks: [field.key],
      // A path such as `/customers` names the sheet by its last part.
      ref: ref.slice(ref.lastIndexOf('/') + 1),
      key,
      filter: filtered ? { refField, recordField } : undefined,
      hasOne: field.type === 'reference' && relationship === 'has-one',
      message: {
        type: 'error',
        source: 'unlinked',
        message: 'This value is not in the sheet it refers to',
        field: field.key,
      },
    },
  ]
}

/** Rules whose values are compared by hash. */
export type HashedRule = UniqueRule | ReferenceRule

export const isReference = (rule: FlagRule): rule is ReferenceRule => 'ref' in rule

/** What a row is compared by under a rule: nothing when it takes no part; a list in a reference field, each by itself. */
export function comparedTexts(rule: HashedRule, value: (field: string) => unknown): readonly string[] {
  if (isReference(rule)) {
    const own = value(rule.field)
    if (own == null) return []
    const within = rule.filter && value(rule.filter.recordField)
    return (Array.isArray(own) ? own : [own]).map((one) => referenceText(one, rule.filter ? [within] : []))
  }
  const text = uniqueText(rule, value)
  return text === undefined ? [] : [text]
}

/**
 * What a reference is looked up by, on either side.
 * @param filter the value of the filter's field, if there is one
 */
export function referenceText(value: unknown, filter: readonly unknown[]): string {
  const text = textOf(value)
  return filter.length ? `${text.length}:${text}${filter[0] == null ? EMPTY : textOf(filter[0])}` : text
}

/**
 * What a row is compared by under a rule; undefined when it takes no part (empty, or a required field of it is).
 * @param value the stored value of a field
 */
export function uniqueText(rule: UniqueRule, value: (field: string) => unknown): string | undefined {
  if (rule.fields.length === 1) return partText(rule, value(rule.fields[0]!))
  for (const field of rule.requiredFields) if (value(field) == null) return undefined
  const parts = rule.fields.map((field) => partText({ ...rule, ignoreEmpty: false }, value(field)) ?? '')
  if (rule.ignoreEmpty && parts.every((part) => part === EMPTY)) return undefined
  return parts.map((part) => `${part.length}:${part}`).join('')
}

/** Not a text any value has: values never hold a lone NUL. */
const EMPTY = '\0'

function partText(rule: UniqueRule, value: unknown): string | undefined {
  if (value == null) return rule.ignoreEmpty ? undefined : EMPTY
  const text = textOf(value)
  return rule.caseSensitive ? text : text.toLowerCase()
}

/** Constraint messages of one cell; `value` as stored. */
export function judge(field: FieldRules, value: unknown): readonly Message[] {
  const message = value === null ? field.required : field.check(value)
  return message ? [message] : []
}

export const storedCell = (field: FieldRules, value: unknown): unknown => storedValue(field.type, value)

/** A cell as it would be, were this its value. */
export interface JudgedCell {
  value: unknown
  messages: readonly Message[]
  valid: boolean
}

/** What its field makes of a value; constraints over several records do not speak. Undefined for a field there is not. */
export function cellOf(sheet: SheetRef, key: string, value: unknown): JudgedCell | undefined {
  const field = rulesOf(sheet).byKey.get(key)
  if (!field) return undefined
  const stored = storedCell(field, value)
  const messages = judge(field, stored)
  return { value: stored, messages, valid: messages.every(({ type }) => type !== 'error') }
}

/** Sources whose messages the platform makes itself: what a client sends back of them is not stored. */
const OWN_SOURCES = new Set(['required-constraint', 'unique-constraint', 'invalid-option', 'is-artifact', 'unlinked'])

/** A hook's messages as stored: only its own, in their standard shape. */
export function hookMessages(field: string, inputs: readonly MessageInput[]): Message[] {
  return inputs
    .filter((input) => input && !OWN_SOURCES.has(String(input.source)))
    .map((input) => ({
      type: levelOf(input.type),
      source: 'custom-logic',
      message: String(input.message ?? ''),
      field,
      ...(typeof input.path === 'string' ? { path: input.path } : {}),
    }))
}

/** Which values fit which type (values.ts): a change of these rules is a new version, so that stored messages follow. */
const TYPES_VERSION = 2

/** Equal for sheets whose values are validated the same way: labels and the order of fields do not count. */
export function signatureOf(sheet: SheetRef): string {
  const fields = sheet.fields
    .map((field) => [
      field.key,
      field.type,
      !!field.isArray,
      !!field.multi,
      judgedConfig(field),
      judgedConstraints(field),
    ])
    .sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1))
  const constraints = (sheet.constraints ?? []).filter((constraint) => constraint.type === 'unique').map(judgedSheet)
  const hi = new Uint32Array(1)
  const lo = new Uint32Array(1)
  hashInto(JSON.stringify([TYPES_VERSION, fields, constraints]), hi, lo, 0)
  return hexOf(hi[0]!, lo[0]!)
}

function judgedConfig(field: Field): unknown {
  const config = configOf(field)
  const options = Array.isArray(config.options) ? config.options.map((option) => option?.value) : undefined
  const { size, allowCustom, ref, key, filter } = config
  return [size, allowCustom === true, options, ref, key, filter, ...(isIndeterminate(field) ? [true] : [])]
}

const judgedConstraints = (field: Field): unknown =>
  (field.constraints ?? [])
    .filter((constraint) => constraint.type === 'required' || constraint.type === 'unique')
    .map((constraint) => [constraint.type, judgedSettings(configOf(constraint))])

const judgedSheet = (constraint: SheetConstraint): unknown => [
  constraint.name,
  constraint.fields,
  constraint.requiredFields,
  judgedSettings(configOf(constraint)),
]

const judgedSettings = (config: { readonly [key: string]: unknown }): unknown => [
  config.level,
  config.message,
  config.caseSensitive,
  config.ignoreEmpty,
]
