/** A naive record engine: rows in an array, everything recomputed on each read. The reference for the engine. */
import type { Field, Message, RecordInput, RecordUpdate, WireRecord } from '../../../lib/records/sheet.ts'

export interface ModelRow {
  id: string
  values: Map<string, unknown>
  hooks: Map<string, Message[]>
  metadata: object
  config: object
}

export interface Model {
  fields: Field[]
  rows: ModelRow[]
  linked?: readonly unknown[]
}

export const copyModel = (model: Model): Model => ({
  ...model,
  rows: model.rows.map((row) => ({ ...row, values: new Map(row.values), hooks: new Map(row.hooks) })),
})

const isEmptyValue = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/
const findField = (model: Model, key: string): Field | undefined => model.fields.find((field) => field.key === key)
const isField = (model: Model, key: string): boolean => findField(model, key) !== undefined

function toStored(model: Model, key: string, value: unknown): unknown {
  if (isEmptyValue(value)) return null
  return findField(model, key)?.type === 'number' && typeof value === 'string' && NUMBER.test(value) ? +value : value
}

const hookMessages = (field: string, inputs: readonly { message?: string | null; type?: string | null }[]): Message[] =>
  inputs.map(({ type, message }) => ({
    type: type === 'warn' || type === 'info' ? type : 'error',
    source: 'custom-logic',
    message: String(message),
    field,
  }))

export function insertRows(model: Model, ids: readonly string[], inputs: readonly RecordInput[]): void {
  inputs.forEach(({ values, metadata, config }, i) => {
    const row: ModelRow = {
      id: ids[i]!,
      values: new Map(),
      hooks: new Map(),
      metadata: metadata ?? {},
      config: config ?? {},
    }
    for (const [key, cell] of Object.entries(values)) {
      if (!isField(model, key)) continue
      row.values.set(key, toStored(model, key, cell.value))
      if (cell.messages?.length) row.hooks.set(key, hookMessages(key, cell.messages))
    }
    model.rows.push(row)
  })
}

export function updateRows(model: Model, updates: readonly RecordUpdate[]): string[] {
  const changed: string[] = []
  for (const { id, values, metadata, config } of updates) {
    const row = model.rows.find((one) => one.id === id)
    if (!row) continue
    let any = false
    for (const [key, cell] of Object.entries(values ?? {})) {
      if (!isField(model, key)) continue
      const before = JSON.stringify(row.values.get(key) ?? null)
      const after = cell.value === undefined ? before : JSON.stringify(toStored(model, key, cell.value))
      if (before !== after) {
        any = true
        row.values.set(key, JSON.parse(after))
        row.hooks.delete(key)
      }
      if (cell.messages) row.hooks.set(key, hookMessages(key, cell.messages))
    }
    if (metadata !== undefined) row.metadata = metadata ?? {}
    if (config !== undefined) row.config = config ?? {}
    if (any) changed.push(id)
  }
  return changed
}

export function forgetMessages(model: Model): void {
  for (const row of model.rows) for (const key of row.hooks.keys()) if (!isField(model, key)) row.hooks.delete(key)
}

export function removeRows(model: Model, ids: readonly string[]): void {
  const gone = new Set(ids)
  model.rows = model.rows.filter(({ id }) => !gone.has(id))
}

function constraintMessages(field: Field, value: unknown): Message[] {
  const message = (source: string, text: string, type: Message['type'] = 'error'): Message[] => [
    { type, source, message: text, field: field.key },
  ]
  const required = field.constraints?.find(({ type }) => type === 'required')
  if (value === null) {
    const level = (required?.config as { level?: Message['type'] } | undefined)?.level
    return required ? message('required-constraint', 'This field is required', level) : []
  }
  if (field.type === 'number' && typeof value !== 'number' && !NUMBER.test(String(value)))
    return message(
      'is-artifact',
      'This value is not a number: use only digits, a decimal point and a minus sign, such as -1234.5',
    )
  const options = (field.config as { options?: { value: unknown }[] } | undefined)?.options
  if (field.type === 'enum' && !options?.some((option) => option.value === value))
    return message('invalid-option', 'This value is not one of the options')
  if (field.type === 'string-list' && !Array.isArray(value)) return message('is-artifact', 'This value is not a list')
  return []
}

function unlinkedMessages(model: Model, field: Field, value: unknown): Message[] {
  if (field.type !== 'reference' || !model.linked || value === null) return []
  if (model.linked.some((other) => other !== null && String(other) === String(value))) return []
  return [
    {
      type: 'error',
      source: 'unlinked',
      message: 'This value does not exist in the referenced sheet',
      field: field.key,
    },
  ]
}

function uniqueMessages(model: Model, field: Field, value: unknown): Message[] {
  const constraint = field.constraints?.find(({ type }) => type === 'unique')
  if (!constraint || value === null) return []
  const config = constraint.config as { caseSensitive?: boolean; level?: Message['type'] } | undefined
  const form = (one: unknown): string => (config?.caseSensitive === false ? String(one).toLowerCase() : String(one))
  const same = model.rows.filter((row) => {
    const other = row.values.get(field.key) ?? null
    return other !== null && form(other) === form(value)
  })
  if (same.length < 2) return []
  return [
    {
      type: config?.level ?? 'error',
      source: 'unique-constraint',
      message: 'This value is not unique',
      field: field.key,
    },
  ]
}

const noError = (messages: Message[]): boolean => messages.every(({ type }) => type !== 'error')

export function wireRecords(model: Model): WireRecord[] {
  return model.rows.map((row) => {
    const values: WireRecord['values'] = {}
    for (const field of model.fields) {
      const value = row.values.get(field.key) ?? null
      const messages = [
        ...(row.hooks.get(field.key) ?? []),
        ...constraintMessages(field, value),
        ...uniqueMessages(model, field, value),
        ...unlinkedMessages(model, field, value),
      ]
      values[field.key] = { value, messages, valid: noError(messages) }
    }
    const valid = Object.values(values).every((cell) => cell.valid)
    return { id: row.id, values, valid, metadata: { ...row.metadata }, config: { ...row.config } }
  })
}

export function wireCounts(records: readonly WireRecord[]) {
  const valid = records.filter((record) => record.valid).length
  return { total: records.length, valid, error: records.length - valid }
}
