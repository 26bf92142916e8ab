/**
 * The code inside the virtual machine that runs the user's function. It evaluates to `{ run, position, read, finish,
 * describe }`, and only strings and numbers cross the boundary.
 * The user's function can replace any global, so built-ins are captured before it is loaded and results have no
 * prototype.
 */
import { message } from '../../../schemas/messages/index.ts'

/** Marks where an expression of the program writes the value of a variable. */
const VALUE = '\u0000'
const toExpression = (text: string, variable = ''): string =>
  text
    .split(VALUE)
    .map((part) => JSON.stringify(part))
    .join(` + ${variable} + `)
const toDescription = (text: string): string => JSON.stringify(JSON.stringify([text, '']))
const localeError = toExpression(message('mutations.localeMethod', { method: VALUE }), 'name')

export const DRIVER = `(function () {
  'use strict'
  const { parse, stringify } = JSON
  const { apply, defineProperty, get, getOwnPropertyDescriptor, ownKeys, preventExtensions, set } = Reflect
  const { create, hasOwn, keys, setPrototypeOf } = Object
  const { isArray } = Array
  const { isNaN } = Number
  const { getTime, toISOString } = Date.prototype
  const { then } = Promise.prototype
  const resolve = Promise.resolve
  const { slice } = String.prototype
  const PlainProxy = Proxy, PlainPromise = Promise, PlainDate = Date, PlainString = String, PlainTypeError = TypeError

  // How long a message and a stack may become.
  const MESSAGE = 2000
  let position = -1
  let open = 0
  let failure
  const changes = create(null)
  let names = []
  let texts = []
  const lists = setPrototypeOf([], null)
  const places = create(null)

  const isObject = (value) => typeof value === 'object' && value !== null && !isArray(value)
  const isScalar = (value) =>
    value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  const column = (place) => {
    if (lists[place] === undefined) {
      if (texts[place] === null) {
        const error = new PlainTypeError('This field was left out.')
        fail(position, error)
        throw error
      }
      lists[place] = parse(texts[place])
    }
    return lists[place]
  }

  // The user's copy of a list is separate from the stored one.
  const copyOf = (value) => {
    if (!isArray(value)) return value
    const copy = []
    for (let i = 0; i < value.length; i++) copy[i] = value[i]
    return copy
  }
  const plain = (list) => {
    const copy = setPrototypeOf([], null)
    for (let i = 0; i < list.length; i++) copy[i] = list[i]
    return copy
  }
  const isListOfScalars = (value) => {
    if (!isArray(value)) return false
    for (let i = 0; i < value.length; i++) if (!isScalar(value[i])) return false
    return true
  }
  const isSame = (value, before) => {
    if (value === before) return true
    if (typeof value === 'number' && value - value !== 0) return before === null // JSON has no NaN and no infinity
    if (!isArray(value) || !isArray(before) || value.length !== before.length) return false
    for (let i = 0; i < value.length; i++) if (!isSame(value[i], before[i])) return false
    return true
  }

  // The handler of a record's values. Its target has the cells that were used so far.
  class Values {
    constructor(at, cells) {
      this.at = at
      this.cells = cells
    }
    // Most functions set one field only, as onlyKey and onlyValue: it needs no cell.
    makeCell() {
      const key = this.onlyKey
      if (key === undefined) return
      this.onlyKey = undefined
      this.mark(key)
      this.cells[key] = { value: this.onlyValue, messages: [], valid: true }
    }
    mark(key) {
      this.makeCell()
      this.used ??= create(null)
      this.used[key] = true
    }
    isStored(key) {
      return places[key] !== undefined && this.used?.[key] === undefined
    }
    fill(target, key) {
      this.makeCell()
      if (!this.isStored(key)) return
      this.mark(key)
      target[key] = { value: copyOf(column(places[key])[this.at]), messages: [], valid: true }
    }
    fillAll(target) {
      for (let i = 0; i < names.length; i++) this.fill(target, names[i])
    }
    get(target, key) {
      if (typeof key === 'string') this.fill(target, key)
      return target[key]
    }
    has(target, key) {
      this.fill(target, key)
      return key in target
    }
    set(target, key, value) {
      if (typeof key === 'string') this.mark(key)
      return set(target, key, value)
    }
    deleteProperty(target, key) {
      if (typeof key === 'string') this.mark(key)
      return delete target[key]
    }
    defineProperty(target, key, descriptor) {
      this.fill(target, key)
      return defineProperty(target, key, descriptor)
    }
    getOwnPropertyDescriptor(target, key) {
      this.fill(target, key)
      return getOwnPropertyDescriptor(target, key)
    }
    preventExtensions(target) {
      this.fillAll(target)
      return preventExtensions(target)
    }
    ownKeys(target) {
      this.fillAll(target)
      const all = ownKeys(target)
      const fields = []
      for (let i = 0; i < names.length; i++)
        if (hasOwn(target, names[i])) fields[fields.length] = names[i]
      for (let i = 0; i < all.length; i++)
        if (typeof all[i] !== 'string' || places[all[i]] === undefined) fields[fields.length] = all[i]
      return fields
    }
  }
  setPrototypeOf(Values.prototype, null)

  class FlatRecord {
    #values
    #handler
    constructor(id, at) {
      const cells = {}
      const handler = new Values(at, cells)
      const values = new PlainProxy(cells, handler)
      this.#handler = handler
      this.#values = values
      this.id = id
      this.values = values
    }
    get(key) {
      if (!(#values in this) || this.values !== this.#values) return this.values[key]?.value ?? null
      const handler = this.#handler
      if (handler.onlyKey !== undefined && handler.onlyKey === key) return handler.onlyValue ?? null
      if (handler.isStored(key)) {
        // Without a cell: only of a list, the user's copy has to stay.
        const value = column(places[key])[handler.at]
        if (!isArray(value)) return value
        handler.fill(handler.cells, key)
      }
      return handler.cells[key]?.value ?? null
    }
    set(key, value) {
      if (!(#values in this) || this.values !== this.#values) this.values[key] = { ...this.values[key], value }
      else {
        const handler = this.#handler
        const { cells, used, onlyKey } = handler
        const isFirst = used === undefined && typeof key === 'string' && places[key] !== undefined
        if (isFirst && (onlyKey === undefined || onlyKey === key)) {
          handler.onlyKey = key
          handler.onlyValue = value
          return this
        }
        handler.makeCell()
        if (handler.isStored(key)) cells[key] = { value, messages: [], valid: true }
        else cells[key] = { ...cells[key], value }
        handler.mark(key)
      }
      return this
    }
    static changed(record, result, at) {
      const returned = result.values
      const isOwn = returned === record.#values
      const handler = record.#handler
      if (isOwn && handler.onlyKey !== undefined) return takeValue(at, handler.onlyKey, handler.onlyValue)
      const cells = isOwn ? handler.cells : returned
      if (!isOwn && !isObject(cells)) throw new PlainTypeError(${toExpression(message('mutations.noRecordReturned'))})
      const used = handler.used
      if (isOwn && used === undefined) return
      const given = keys(isOwn ? used : cells)
      for (let i = 0; i < given.length; i++)
        if (!isOwn || hasOwn(cells, given[i])) take(at, given[i], cells[given[i]])
    }
  }
  // The class can be reached by the user's function, as the constructor of its record.
  const changed = FlatRecord.changed
  delete FlatRecord.changed

  const fail = (at, error) => {
    failure ??= { __proto__: null, at, error: describe(error) }
  }
  const describe = (error) => {
    try {
      const text = error?.name ? error.name + ': ' + error.message : PlainString(error)
      const stack = error?.stack
      return stringify(setPrototypeOf([cut(text), typeof stack === 'string' ? cut(stack) : ''], null))
    } catch {
      return ${toDescription(message('mutations.undescribedError'))}
    }
  }
  const cut = (text) => apply(slice, text, [0, MESSAGE])

  const take = (at, key, cell) => takeValue(at, key, isObject(cell) ? cell.value : cell)
  const takeValue = (at, key, given) => {
    const place = places[key]
    let value = given
    if (value === undefined) value = null
    if (typeof value === 'object' && value !== null) {
      if (value instanceof PlainDate) value = isNaN(apply(getTime, value, [])) ? null : apply(toISOString, value, [])
      if (isArray(value)) value = plain(value)
    }
    if (!isScalar(value) && !isListOfScalars(value))
      throw new PlainTypeError(${toExpression(message('mutations.valueType', { field: VALUE }), 'key')})
    if (place === undefined || isSame(value, column(place)[at])) return
    const changed = (changes[key] ??= plain([plain([]), plain([])]))
    changed[0][changed[0].length] = at
    changed[1][changed[1].length] = value
  }
  const done = (record, result, at) => {
    if (result !== undefined && !isObject(result)) throw new PlainTypeError(${toExpression(message('mutations.noRecordReturned'))})
    changed(record, result ?? record, at)
  }
  const one = (mutate, at, id) => {
    const record = new FlatRecord(id, at)
    const result = mutate(record)
    if (result === undefined || typeof result?.then !== 'function') return done(record, result, at)
    open++
    const settled = apply(resolve, PlainPromise, [result])
    const taken = apply(then, settled, [
      (value) => {
        open--
        done(record, value, at)
      },
    ])
    apply(then, taken, [undefined, (error) => fail(at, error)])
  }

  const withoutLocale = (prototype, names) => {
    for (const name of names)
      defineProperty(prototype, name, {
        configurable: true,
        writable: true,
        value() {
          throw new PlainTypeError(${localeError})
        },
      })
  }
  for (const each of [Object, Array, Number, BigInt, Int8Array.prototype.__proto__.constructor])
    withoutLocale(each.prototype, ['toLocaleString'])
  withoutLocale(PlainDate.prototype, ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'])
  withoutLocale(PlainString.prototype, ['localeCompare'])
  for (const [name, plainCase] of [['toLocaleLowerCase', PlainString.prototype.toLowerCase], ['toLocaleUpperCase', PlainString.prototype.toUpperCase]])
    defineProperty(PlainString.prototype, name, {
      configurable: true,
      writable: true,
      value(locale) {
        if (locale !== undefined) throw new PlainTypeError(${localeError})
        return apply(plainCase, this, [])
      },
    })

  return {
    __proto__: null,
    run(mutate, idRanges, fields, columns) {
      if (typeof mutate !== 'function') throw new PlainTypeError(${toExpression(message('mutations.notCallable'))})
      const ranges = parse(idRanges)
      names = parse(fields)
      texts = columns
      for (let place = 0; place < names.length; place++) places[names[place]] = place
      let at = 0
      for (let range = 0; range < ranges.length; range++) {
        const prefix = ranges[range][0], first = ranges[range][1], count = ranges[range][2]
        for (let i = 0; i < count && !failure; i++, at++) {
          position = at
          try {
            one(mutate, at, first < 0 ? prefix : prefix + (first + i))
          } catch (error) {
            fail(at, error)
          }
        }
      }
    },
    position: () => position,
    read() {
      const read = plain([])
      for (let place = 0; place < names.length; place++)
        if (lists[place] !== undefined) read[read.length] = names[place]
      return stringify(read)
    },
    finish() {
      if (!failure && open > 0)
        failure = { __proto__: null, at: -1, error: ${toDescription(message('mutations.pendingPromise'))} }
      return failure ? stringify({ __proto__: null, failed: failure }) : stringify({ __proto__: null, changes })
    },
    describe,
  }
})()`
