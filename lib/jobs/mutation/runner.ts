/**
 * What runs inside a mutation's own function: one call, one batch of records through the user's function, in a context made
 * for it and gone with it. Written as text into `runner.generated.ts` by `npm run gen`; stands on Node alone.
 *
 * The context keeps honest code apart from this file and ends endless loops; what keeps dishonest code from the platform is
 * that this process belongs to the function alone and has nothing of it.
 */
import { createContext, Script } from 'node:vm'

export interface Call {
  /** Evaluates to the function. */
  program: string
  filename: string
  /** JSON: `{ ids, columns: { field: [value of each] } }`. Keys once and not for each record make it half as long. */
  records: string
  /** How long all of them may take. */
  milliseconds: number
}

export type Answer =
  /** JSON: `{ field: [[place of each record whose value changes], [its value]] }`. */
  { changes: string } | { failed: { kind: 'time' | 'threw' | 'load'; message: string; at?: number } }

/**
 * Runs inside the context; only texts and numbers cross its border. What it has of the language it takes once: each look at a
 * context's globals costs as much as a small function.
 */
const DRIVER = `(function () {
  'use strict'
  const { parse, stringify } = JSON
  const { Array, Date, Number, Object, String, TypeError } = globalThis
  const { isArray } = Array
  const { keys } = Object
  const state = { at: -1, open: 0, changes: {}, failed: undefined }
  // The fields, the values of each, and the place of each field.
  let names = []
  let lists = []
  const places = { __proto__: null }
  const blank = {}
  const isObject = (value) => typeof value === 'object' && value !== null && !isArray(value)
  const isScalar = (value) =>
    value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  class FlatRecord {
    constructor(id, cells) {
      this.id = id
      this.values = cells
    }
    get(key) {
      return this.values[key]?.value ?? null
    }
    set(key, value) {
      this.values[key] = { ...this.values[key], value }
      return this
    }
  }
  const valueIn = (cell) => (isObject(cell) ? cell.value : cell)
  const fail = (at, error) => {
    state.failed ??= { at, message: describe(error) }
  }
  const describe = (error) => {
    try {
      const place = /mutateRecord\\.js:(\\d+)/.exec(String(error?.stack ?? ''))
      return String(error?.name ? error.name + ': ' + error.message : error) + (place ? ' (line ' + place[1] + ')' : '')
    } catch {
      return 'it threw something that cannot be told'
    }
  }
  // A list is the function's to change: what it was is kept apart.
  const ownCopy = (value) => (isArray(value) ? [...value] : value)
  const isSame = (value, before) => value === before || stringify(value) === stringify(before)
  const note = (key, at, value) => {
    const changed = (state.changes[key] ??= [[], []])
    changed[0].push(at)
    changed[1].push(value)
  }
  const take = (at, record) => {
    if (!isObject(record) || !isObject(record.values)) throw new TypeError('it must return the record')
    const { values } = record
    const given = keys(values)
    for (let i = 0; i < given.length; i++) {
      const key = given[i]
      const place = names[i] === key ? i : places[key]
      let value = valueIn(values[key])
      if (place !== undefined && value === lists[place][at]) continue
      if (value === undefined) value = null
      if (value instanceof Date) value = Number.isNaN(value.getTime()) ? null : value.toISOString()
      if (!(isScalar(value) || (isArray(value) && value.every(isScalar))))
        throw new TypeError('the value of ' + key + ' must be a text, a number, true, false, null or a list of them')
      if (place !== undefined && !isSame(value, lists[place][at])) note(key, at, value)
    }
  }
  const one = (mutate, at, id) => {
    const cells = { ...blank }
    for (let i = 0; i < names.length; i++)
      cells[names[i]] = { value: ownCopy(lists[i][at]), messages: [], valid: true }
    const record = new FlatRecord(id, cells)
    const done = (result) => take(at, result === undefined ? record : result)
    const result = mutate(record)
    if (typeof result?.then !== 'function') return done(result)
    state.open++
    result.then(
      (value) => {
        state.open--
        done(value)
      },
    ).then(undefined, (error) => fail(at, error))
  }
  return {
    run(mutate, input) {
      if (typeof mutate !== 'function') throw new TypeError('it is no function')
      const { ids, columns } = parse(input)
      names = keys(columns)
      lists = names.map((key) => columns[key])
      for (const [place, key] of names.entries()) {
        places[key] = place
        blank[key] = undefined
      }
      Object.setPrototypeOf(state.changes, null)
      for (let at = 0; at < ids.length && !state.failed; at++) {
        state.at = at
        try {
          one(mutate, at, ids[at])
        } catch (error) {
          fail(at, error)
        }
      }
    },
    at: () => state.at,
    end: () => {
      if (!state.failed && state.open > 0) state.failed = { at: -1, message: 'it waits for something that never comes: no network and no timers are to be had' }
      return stringify(state.failed ? { failed: state.failed } : { changes: state.changes })
    },
  }
})()`

export function handler({ program, filename, records, milliseconds }: Call): Answer {
  const context = createContext(Object.create(null), { microtaskMode: 'afterEvaluate' })
  const within = (text: string, name: string, timeout: number): unknown =>
    new Script(text, { filename: name }).runInContext(context, { timeout })
  const began = Date.now()
  const define = (name: string, value: unknown): void =>
    void Object.defineProperty(context, name, { value, configurable: true })
  try {
    within(`globalThis.__driver = ${DRIVER}`, 'driver.js', milliseconds)
    define('__input', records)
    define('__mutate', within(program, filename, milliseconds))
  } catch (error) {
    return { failed: { kind: isTimeout(error) ? 'time' : 'load', message: messageOf(error) } }
  }
  try {
    within('__driver.run(__mutate, __input)', 'run.js', Math.max(1, milliseconds - (Date.now() - began)))
    const ended = JSON.parse(String(within('__driver.end()', 'end.js', milliseconds))) as {
      changes?: unknown
      failed?: { at: number; message: string }
    }
    if (ended.failed) return { failed: { kind: 'threw', ...ended.failed } }
    return { changes: JSON.stringify(ended.changes) }
  } catch (error) {
    if (!isTimeout(error)) return { failed: { kind: 'threw', message: messageOf(error) } }
    const at = Number(new Script('__driver.at()').runInContext(context, { timeout: 100 }))
    return { failed: { kind: 'time', message: messageOf(error), at } }
  }
}

const isTimeout = (error: unknown): boolean =>
  (error as { code?: string } | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

const messageOf = (error: unknown): string => {
  const { name, message } = (error ?? {}) as { name?: string; message?: string }
  return name ? `${name}: ${message}` : String(error)
}
