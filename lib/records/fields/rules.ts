/** Compiles fields and constraints. Messages store their rules' signature, so that a changed constraint is detected. */
import { message } from '../../../schemas/messages/index.ts'
import { hashInto, toHex } from '../columns/hash.ts'
import { valueColumn } from '../format/column-names.ts'
import type { Field, Level, Message, MessageInput, SheetConstraint, SheetRef } from '../sheet.ts'
import type { EngineName } from './engines.ts'
import type { FlagRule } from './flag-rules.ts'
import { compileRowRules, type RowRule } from './row-rules.ts'
import {
  compileValueRules,
  findRuleMessages,
  NO_MESSAGES,
  parseFieldRules,
  RULE_SOURCE,
  type ValueRule,
} from './value-rules.ts'
import {
  acceptsAnyText,
  createValueCheck,
  toConfigObject,
  toStoredValue,
  type ValueCheck,
  valueToText,
} from './values.ts'

export interface FieldRules {
  key: string
  label: string | undefined
  type: string
  column: string
  required: readonly Message[]
  isOfType: (value: unknown) => boolean
  check: (value: unknown) => readonly Message[]
  valueRules: readonly ValueRule[]
  anyText: boolean
}

export interface UniqueRule extends FlagRule {
  requiredFields: readonly string[]
  caseSensitive: boolean
  ignoreEmpty: boolean
}

export interface ReferenceRule extends FlagRule {
  field: string
  ref: string
  key: string
  /** Only records whose `refField` equals this record's `recordField` count. */
  filter: { refField: string; recordField: string } | undefined
  hasOne: boolean
}

export interface SheetRules {
  sheetId: string
  fields: readonly FieldRules[]
  byKey: ReadonlyMap<string, FieldRules>
  unique: readonly UniqueRule[]
  references: readonly ReferenceRule[]
  rowRules: readonly RowRule[]
  engines: ReadonlySet<EngineName>
  flagRules: readonly FlagRule[]
  signature: string
}

const LEVELS = new Set<unknown>(['error', 'warn', 'info'])
const parseLevel = (value: unknown): Level => (LEVELS.has(value) ? (value as Level) : 'error')
const textOrDefault = (value: unknown, fallback: string): string =>
  typeof value === 'string' && value ? value : fallback

export const isErrorRule = (ruleId: string): boolean => ruleId.startsWith('error:')

const rulesCache = new WeakMap<readonly Field[], { constraints: SheetRef['constraints']; rules: SheetRules }>()

/** Compiled once per `fields` array, which must not be mutated. */
export function rulesOf(sheet: SheetRef): SheetRules {
  const cached = rulesCache.get(sheet.fields)
  if (cached && cached.rules.sheetId === sheet.sheetId && cached.constraints === sheet.constraints) return cached.rules
  const rules = compileRules(sheet)
  rulesCache.set(sheet.fields, { constraints: sheet.constraints, rules })
  return rules
}

function compileRules(sheet: SheetRef): SheetRules {
  const fields = sheet.fields.map(compileField)
  const unique = compileUniqueRules(sheet)
  const references = sheet.fields.flatMap(compileReferenceRule)
  const rowRules = compileRowRules(sheet)
  const ownRules = [...rowRules, ...fields.flatMap(({ valueRules }) => valueRules)]
  return {
    sheetId: sheet.sheetId,
    fields,
    byKey: new Map(fields.map((field) => [field.key, field])),
    unique,
    references,
    rowRules,
    engines: new Set(ownRules.flatMap(({ engine }) => engine ?? [])),
    flagRules: [...unique, ...references, ...rowRules],
    signature: computeSignature(sheet, rowRules),
  }
}

function compileField(field: Field): FieldRules {
  const required = field.constraints?.find((constraint) => constraint.type === 'required')
  const checkType = createValueCheck(field)
  const valueRules = compileValueRules(field)
  const config = required && !allowsIndeterminate(field) ? toConfigObject(required) : undefined
  return {
    key: field.key,
    label: field.label ?? undefined,
    type: field.type,
    column: valueColumn(field.key),
    required: config
      ? [
          {
            type: parseLevel(config.level),
            source: 'required-constraint',
            message: textOrDefault(config.message, message('records.required')),
            field: field.key,
          },
        ]
      : NO_MESSAGES,
    isOfType: (value) => checkType(value) === undefined,
    check: createMessageCheck(field.key, checkType, valueRules),
    valueRules,
    anyText: acceptsAnyText(field),
  }
}

/** An empty cell of such a boolean is its third value, so it is not missing. */
const allowsIndeterminate = (field: Field): boolean =>
  field.type === 'boolean' && toConfigObject(field).allowIndeterminate === true

/** Returns one shared list per problem, because messages are compared and stored by identity. */
function createMessageCheck(
  field: string,
  check: ValueCheck,
  valueRules: readonly ValueRule[],
): (value: unknown) => readonly Message[] {
  const messagesByProblem = new Map<object, readonly Message[]>()
  return (value) => {
    const problem = check(value)
    if (!problem) return valueRules.length ? findRuleMessages(valueRules, value) : NO_MESSAGES
    let messages = messagesByProblem.get(problem)
    if (!messages) {
      messages = [{ type: 'error', source: problem.source, message: problem.message, field }]
      messagesByProblem.set(problem, messages)
    }
    return messages
  }
}

function compileUniqueRules(sheet: SheetRef): UniqueRule[] {
  const fieldUniqueRules = sheet.fields.flatMap((field) =>
    (field.constraints ?? [])
      .filter((constraint) => constraint.type === 'unique')
      .slice(0, 1)
      .map((constraint) => buildUniqueRule(`field:${field.key}`, [field.key], [], toConfigObject(constraint))),
  )
  const fieldKeys = new Set(sheet.fields.map((field) => field.key))
  const sheetUniqueRules = (sheet.constraints ?? []).flatMap((constraint, index) => {
    const fields = constraint.type === 'unique' ? (constraint.fields ?? []).filter((key) => fieldKeys.has(key)) : []
    return fields.length
      ? [
          buildUniqueRule(
            `sheet:${constraint.name ?? index}`,
            fields,
            (constraint.requiredFields ?? []).filter((key) => fields.includes(key)),
            toConfigObject(constraint),
          ),
        ]
      : []
  })
  return [...fieldUniqueRules, ...sheetUniqueRules]
}

function buildUniqueRule(
  name: string,
  fields: string[],
  requiredFields: string[],
  config: { readonly [key: string]: unknown },
): UniqueRule {
  const type = parseLevel(config.level)
  const text = message(fields.length > 1 ? 'records.combinationNotUnique' : 'records.notUnique')
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
      message: textOrDefault(config.message, text),
      ...(fields.length === 1 ? { field: fields[0] } : {}),
    },
  }
}

export const isReferenceType = (type: string): boolean => type === 'reference' || type === 'reference-list'

function compileReferenceRule(field: Field): ReferenceRule[] {
  const { ref, key, filter, relationship } = toConfigObject(field)
  if (!isReferenceType(field.type) || typeof ref !== 'string' || typeof key !== 'string') return []
  const { refField, recordField } = toConfigObject({ config: filter })
  const hasFilter = typeof refField === 'string' && typeof recordField === 'string'
  return [
    {
      id: `error:link:${field.key}`,
      field: field.key,
      fields: hasFilter ? [field.key, recordField] : [field.key],
      marks: [field.key],
      // A path such as `/customers` names the sheet by its last segment.
      ref: ref.slice(ref.lastIndexOf('/') + 1),
      key,
      filter: hasFilter ? { refField, recordField } : undefined,
      hasOne: field.type === 'reference' && relationship === 'has-one',
      message: {
        type: 'error',
        source: 'unlinked',
        message: message('records.unlinked'),
        field: field.key,
      },
    },
  ]
}

export type { FlagRule, RowRule }
export type HashedRule = UniqueRule | ReferenceRule

export const isReference = (rule: FlagRule): rule is ReferenceRule => 'ref' in rule

export function getComparedTexts(rule: HashedRule, value: (field: string) => unknown): readonly string[] {
  if (isReference(rule)) {
    const fieldValue = value(rule.field)
    if (fieldValue == null) return []
    const filterValue = rule.filter && value(rule.filter.recordField)
    return (Array.isArray(fieldValue) ? fieldValue : [fieldValue]).map((element) =>
      formatReferenceText(element, rule.filter ? [filterValue] : []),
    )
  }
  const text = formatUniqueText(rule, value)
  return text === undefined ? [] : [text]
}

export function formatReferenceText(value: unknown, filter: readonly unknown[]): string {
  const text = valueToText(value)
  return filter.length ? `${text.length}:${text}${filter[0] == null ? EMPTY_TEXT : valueToText(filter[0])}` : text
}

/** Undefined when the text or a required field is empty, so the row is not compared. */
export function formatUniqueText(rule: UniqueRule, value: (field: string) => unknown): string | undefined {
  if (rule.fields.length === 1) return formatPartText(rule, value(rule.fields[0]!))
  for (const field of rule.requiredFields) if (value(field) == null) return undefined
  const parts = rule.fields.map((field) => formatPartText({ ...rule, ignoreEmpty: false }, value(field)) ?? '')
  if (rule.ignoreEmpty && parts.every((part) => part === EMPTY_TEXT)) return undefined
  return parts.map((part) => `${part.length}:${part}`).join('')
}

/** Cannot equal a value: values never contain a lone NUL. */
const EMPTY_TEXT = '\0'

function formatPartText(rule: UniqueRule, value: unknown): string | undefined {
  if (value == null) return rule.ignoreEmpty ? undefined : EMPTY_TEXT
  const text = valueToText(value)
  return rule.caseSensitive ? text : text.toLowerCase()
}

export const validateCell = (field: FieldRules, value: unknown): readonly Message[] =>
  value === null ? field.required : field.check(value)

export const toStoredCell = (field: FieldRules, value: unknown): unknown => toStoredValue(field.type, value)

export interface ValidatedCell {
  value: unknown
  messages: readonly Message[]
  valid: boolean
}

/** Validates a hypothetical value of a field, ignoring rules that compare records. Undefined for an unknown field. */
export function evaluateCell(sheet: SheetRef, key: string, value: unknown): ValidatedCell | undefined {
  const field = rulesOf(sheet).byKey.get(key)
  if (!field) return undefined
  const stored = toStoredCell(field, value)
  const messages = validateCell(field, stored)
  return { value: stored, messages, valid: messages.every(({ type }) => type !== 'error') }
}

export type CellValidator = (value: unknown) => { value: unknown; isReadable: boolean }

export function createCellValidator(sheet: SheetRef, key: string): CellValidator {
  const field = rulesOf(sheet).byKey.get(key)!
  return (value) => {
    if (field.anyText && typeof value === 'string' && value !== '') return { value, isReadable: true }
    const stored = toStoredCell(field, value)
    return { value: stored, isReadable: stored === null || field.isOfType(stored) }
  }
}

/** Messages with these sources are generated by the platform, so copies sent back by clients are not stored. */
const PLATFORM_SOURCES = new Set([
  'required-constraint',
  'unique-constraint',
  'invalid-option',
  'is-artifact',
  'unlinked',
  RULE_SOURCE,
])

export function toHookMessages(field: string, inputs: readonly MessageInput[]): Message[] {
  return inputs
    .filter((input) => input && !PLATFORM_SOURCES.has(String(input.source)))
    .map((input) => ({
      type: parseLevel(input.type),
      source: 'custom-logic',
      message: String(input.message ?? ''),
      field,
      ...(typeof input.path === 'string' ? { path: input.path } : {}),
    }))
}

/** Increment when the type rules in values.ts change, so that stored messages are recomputed. */
const TYPES_VERSION = 2

/** Equal for sheets that validate values identically; labels and field order do not matter. */
export function computeSignature(sheet: SheetRef, rowRules: readonly RowRule[] = compileRowRules(sheet)): string {
  const fields = sheet.fields
    .map((field) => [
      field.key,
      field.type,
      !!field.isArray,
      !!field.multi,
      pickValidatedConfig(field),
      pickFieldConstraints(field),
    ])
    .sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1))
  const constraints = (sheet.constraints ?? [])
    .filter((constraint) => constraint.type === 'unique')
    .map(pickSheetConstraint)
  const hi = new Uint32Array(1)
  const lo = new Uint32Array(1)
  const rowRuleIds = rowRules.length ? [rowRules.map(({ id }) => id)] : []
  hashInto(JSON.stringify([TYPES_VERSION, fields, constraints, ...rowRuleIds]), hi, lo, 0)
  return toHex(hi[0]!, lo[0]!)
}

function pickValidatedConfig(field: Field): unknown {
  const config = toConfigObject(field)
  const options = Array.isArray(config.options) ? config.options.map((option) => option?.value) : undefined
  const { size, allowCustom, ref, key, filter } = config
  return [size, allowCustom === true, options, ref, key, filter, ...(allowsIndeterminate(field) ? [true] : [])]
}

const pickFieldConstraints = (field: Field): unknown => [
  ...(field.constraints ?? [])
    .filter((constraint) => constraint.type === 'required' || constraint.type === 'unique')
    .map((constraint) => [constraint.type, pickConstraintSettings(toConfigObject(constraint))]),
  ...parseFieldRules(field).map(({ type, config }) => [type, config]),
]

const pickSheetConstraint = (constraint: SheetConstraint): unknown => [
  constraint.name,
  constraint.fields,
  constraint.requiredFields,
  pickConstraintSettings(toConfigObject(constraint)),
]

const pickConstraintSettings = (config: { readonly [key: string]: unknown }): unknown => [
  config.level,
  config.message,
  config.caseSensitive,
  config.ignoreEmpty,
]
