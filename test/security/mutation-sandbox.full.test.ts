/** Attempts to escape the engine of users' functions: the process stays unchanged, and the next call works. */
import { expect, it } from 'vitest'
import { handler } from '../../functions/system/run-mutation.ts'
import type { MutationResult } from '../../lib/jobs/mutation/call.ts'
import { createCaller, createDataCaller, createTestAccount } from '../support/api.ts'

const CANARY = 'canary-of-the-process'
Object.assign(globalThis, { canary: CANARY })
process.env.CANARY = CANARY

const PRELUDE = `
  const reaches = (F) => {
    const global = F('return globalThis')()
    const names = ['process', 'require', 'module', 'fetch', 'Buffer', 'setTimeout', 'WebAssembly', 'WebSocket', 'console',
      'canary', 'performance', 'Atomics', 'XMLHttpRequest', 'navigator', 'os', 'std', 'bjson', 'scriptArgs', 'print', 'load']
    return names.filter((name) => { try { return typeof global[name] !== 'undefined' } catch (error) { return false } })
  }
  const own = Function
  const isOther = (F) => typeof F === 'function' && F !== own && F !== Object.getPrototypeOf(async () => {}).constructor
    && F !== Object.getPrototypeOf(function* () {}).constructor && F !== Object.getPrototypeOf(async function* () {}).constructor
  const check = (value) => {
    const F = value?.constructor?.constructor
    if (isOther(F)) return 'ESCAPED into another realm ' + reaches(F)
    const found = F ? reaches(F) : []
    return found.length > 0 ? 'ESCAPED to ' + found : 'held'
  }
`

const mutate = (body: string, { milliseconds = 3000, values = ['"a"', '"b"'] } = {}): Promise<MutationResult> =>
  handler({
    program: `(async (record) => { ${PRELUDE}\n${body} })`,
    filename: 'mutateRecord.js',
    idRanges: JSON.stringify([['r', 0, values.length]]),
    columns: [['out', `[${values.join(',')}]`]],
    milliseconds,
  })

const getOutput = (answer: MutationResult): unknown[] =>
  'changes' in answer ? ((JSON.parse(answer.changes) as Record<string, [number[], unknown[]]>).out?.[1] ?? []) : []

async function expectProcessUnchanged(): Promise<void> {
  for (const prototype of [Object.prototype, Array.prototype, Function.prototype, String.prototype, Promise.prototype])
    expect(Object.getOwnPropertyNames(prototype).filter((name) => /polluted|toJSON/.test(name))).toEqual([])
  expect(({} as { then?: unknown }).then).toBeUndefined()
  expect(
    await mutate("return record.set('out', typeof globalThis.polluted + typeof ({}).polluted + record.get('out'))"),
  ).toEqual({
    changes: '{"out":[[0,1],["undefinedundefineda","undefinedundefinedb"]]}',
    read: ['out'],
  })
}

const REACHING: [attempt: string, body: string][] = [
  [
    'the error of import()',
    "try { await import('node:fs') } catch (error) { return record.set('out', check(error)) }\nreturn record.set('out', 'ESCAPED: imported')",
  ],
  [
    'the promise of import()',
    "const promise = import('node:fs'); promise.catch(() => {}); return record.set('out', check(promise))",
  ],
  ...[
    'node:process',
    'file:///etc/passwd',
    'data:text/javascript,export default 1',
    './driver.js',
    'std',
    'os',
    '',
  ].map((name): [string, string] => [
    `import('${name}')`,
    `try { await import(${JSON.stringify(name)}); return record.set('out', 'ESCAPED') } catch { return record.set('out', 'held') }`,
  ]),
  [
    'import.meta and static import by eval',
    "for (const text of ['import.meta', 'import fs from \"fs\"']) try { (0, eval)(text); return record.set('out', 'ESCAPED') } catch {}\nreturn record.set('out', 'held')",
  ],
  ['the constructor chain of the record', "return record.set('out', check(record))"],
  [
    'the constructor chain of its values',
    "return record.set('out', check(record.values) + check(record.values.out) + check(record.values.out.messages))",
  ],
  [
    'the constructor chain of its methods',
    "return record.set('out', check(record.get) + check(record.set) + check(record.constructor))",
  ],
  [
    'the static members of the record’s class',
    "return record.set('out', Object.getOwnPropertyNames(record.constructor).join() === 'length,name,prototype' ? 'held' : 'ESCAPED ' + Object.getOwnPropertyNames(record.constructor))",
  ],
  [
    'Function and its kinds',
    "for (const f of [async () => {}, function* () {}, async function* () {}]) if (reaches(Object.getPrototypeOf(f).constructor.bind(null)).length) return record.set('out', 'ESCAPED')\nreturn record.set('out', reaches(Function).length ? 'ESCAPED' : 'held')",
  ],
  [
    'indirect eval',
    "return record.set('out', (0, eval)('typeof process + typeof require + typeof fetch + typeof __driver + typeof __mutate + typeof __input') === 'undefined'.repeat(6) ? 'held' : 'ESCAPED')",
  ],
  [
    'globals that are not of the language',
    "const known = new Set('Error,EvalError,RangeError,ReferenceError,SyntaxError,TypeError,URIError,InternalError,AggregateError,Array,Object,Function,Iterator,parseInt,parseFloat,isNaN,isFinite,decodeURI,decodeURIComponent,encodeURI,encodeURIComponent,escape,unescape,Infinity,NaN,undefined,eval,Number,Boolean,String,Math,Reflect,Symbol,globalThis,BigInt,Date,RegExp,JSON,Proxy,Map,Set,WeakMap,WeakSet,ArrayBuffer,SharedArrayBuffer,Uint8ClampedArray,Int8Array,Uint8Array,Int16Array,Uint16Array,Int32Array,Uint32Array,BigInt64Array,BigUint64Array,Float16Array,Float32Array,Float64Array,DataView,Promise,WeakRef,FinalizationRegistry'.split(','))\nconst more = Reflect.ownKeys(globalThis).filter((name) => !known.has(name))\nreturn record.set('out', more.some((name) => typeof name === 'string') ? 'ESCAPED ' + more.map(String) : 'held')",
  ],
  [
    'Error.prepareStackTrace and its call sites',
    "let seen = []\nError.prepareStackTrace = (error, sites) => { seen = [].concat(sites ?? []); return '' }\nnew Error('x').stack\ntry { null.x } catch (error) { error.stack }\nreturn record.set('out', seen.map((site) => { try { return check(site) + check(site.getThis?.()) + check(site.getFunction?.()) } catch { return 'held' } }).concat('held').join())",
  ],
  [
    'arguments.callee.caller',
    "const f = function () { try { return f.caller ?? arguments.callee.caller } catch { return null } }\nreturn record.set('out', check(f() ?? {}))",
  ],
  [
    'the error of a deep recursion',
    "const f = () => f()\ntry { f() } catch (error) { return record.set('out', check(error)) }",
  ],
  [
    'the error of an invalid length',
    "try { new Array(-1) } catch (error) { try { 'x'.repeat(-1) } catch (other) { return record.set('out', check(error) + check(other)) } }",
  ],
  ['the error of JSON.parse', "try { JSON.parse('{') } catch (error) { return record.set('out', check(error)) }"],
  [
    'a proxy of the values',
    "let target\nconst spy = new Proxy(record.values, { get(t, key, receiver) { target = t; return Reflect.get(t, key, receiver) } })\nspy.out\nreturn record.set('out', check(target) + check(spy))",
  ],
  [
    'handlers of proxies by inherited traps',
    "let handler\nfor (const trap of ['get', 'getPrototypeOf', 'setPrototypeOf', 'isExtensible', 'apply', 'construct']) Object.defineProperty(Object.prototype, trap, { configurable: true, get() { if (this?.used) handler = this; return undefined } })\nObject.getPrototypeOf(record.values); Object.isExtensible(record.values); record.values.out\nfor (const trap of ['get', 'getPrototypeOf', 'setPrototypeOf', 'isExtensible', 'apply', 'construct']) delete Object.prototype[trap]\nreturn record.set('out', handler ? 'ESCAPED' : 'held')",
  ],
  [
    'setters on prototypes that catch what the driver stores',
    "let caught\nfor (const key of ['0', '1', 'at', 'error', 'failed', 'changes', 'used', 'target']) Object.defineProperty(Object.prototype, key, { configurable: true, set(value) { caught = this }, get() {} })\nrecord.set('out', 'x')\nreturn record.set('out', caught ? 'ESCAPED ' + Object.keys(caught) : 'held')",
  ],
  [
    'Symbol.species and subclasses',
    "Object.defineProperty(Array, Symbol.species, { value: class extends Array { constructor(...all) { super(...all); globalThis.polluted = check(all) } } })\nObject.defineProperty(Promise, Symbol.species, { value: function (executor) { executor(() => {}, () => {}); return {} } })\nreturn record.set('out', 'held')",
  ],
  [
    'a generator’s return and throw',
    "const g = (function* () { try { yield 1 } finally { yield check(this) } })()\ng.next(); const { value } = g.return({})\nreturn record.set('out', value + check(g) + check(Object.getPrototypeOf(g)))",
  ],
  [
    'async stacks',
    "const error = await new Promise((resolve) => Promise.reject(new Error('x')).catch(resolve))\nreturn record.set('out', check(error) + (/engine|run-mutation|node:/.test(error.stack) ? 'ESCAPED' : ''))",
  ],
  [
    'typed arrays over other memory',
    "const all = new Uint8Array(new ArrayBuffer(64))\nfor (const offset of [-1, 64, 2 ** 31, 2 ** 53]) if (all[offset] !== undefined) return record.set('out', 'ESCAPED')\nfor (const make of [() => new Uint8Array(all.buffer, 60, 8), () => new DataView(all.buffer, 65), () => new DataView(all.buffer).getUint32(62)]) try { make(); return record.set('out', 'ESCAPED') } catch {}\nreturn record.set('out', 'held')",
  ],
  [
    'detached and resized buffers',
    "const b = new ArrayBuffer(8, { maxByteLength: 64 }); const v = new Uint8Array(b)\nconst index = { valueOf() { b.resize?.(0); return 7 } }\nv.fill(1, index); v[7] = 1\nreturn record.set('out', v.length === 8 || v.length === 0 ? 'held' : 'ESCAPED')",
  ],
  ['WebAssembly', "return record.set('out', typeof WebAssembly === 'undefined' ? 'held' : 'ESCAPED')"],
  [
    'waiting on shared memory',
    "try { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); return record.set('out', 'ESCAPED') } catch { return record.set('out', 'held') }",
  ],
  [
    'finalizers',
    "const registry = new FinalizationRegistry((held) => { globalThis.polluted = check(held) })\nfor (let i = 0; i < 1000; i++) registry.register({}, {})\nreturn record.set('out', check(registry) + check(new WeakRef({})))",
  ],
  [
    'with and Symbol.unscopables',
    "return record.set('out', Function('o', 'with (o) { return typeof process }')({ get [Symbol.unscopables]() { return {} } }) === 'undefined' ? 'held' : 'ESCAPED')",
  ],
  [
    'prototype pollution',
    "Object.prototype.polluted = 'ESCAPED'; Array.prototype.polluted = 1; globalThis.polluted = 1; ({}).__proto__.polluted = 1\nreturn record.set('out', 'held')",
  ],
  [
    'everything the language has a prototype for',
    "const all = [JSON, Reflect, Promise.resolve(), new Proxy({}, {}), Symbol(), 1n, Iterator.prototype, new Map().entries(), /x/[Symbol.matchAll]('x'), new WeakRef({}), new SharedArrayBuffer(1)]\nreturn record.set('out', all.map((each) => { let found = ''; for (let o = each; o != null; o = Object.getPrototypeOf(Object(o))) found += check(o); return found }).join())",
  ],
  [
    'a specifier of import() that throws',
    "try { await import({ toString() { throw { caught: this } } }) } catch (error) { return record.set('out', check(error) + check(error.caught)) }\nreturn record.set('out', 'ESCAPED')",
  ],
  [
    'import() with attributes',
    "for (const name of ['qjs:std', 'qjs:os', 'mutateRecord.js', '\\0', 'x'.repeat(1e5)]) try { await import(name, { with: { type: 'json' } }); return record.set('out', 'ESCAPED') } catch (error) { if (check(error) !== 'held') return record.set('out', 'ESCAPED') }\nreturn record.set('out', 'held')",
  ],
  [
    'what the driver passes to a conversion it calls',
    "let caller; let stack = ''\nconst key = { [Symbol.toPrimitive]() { try { caller = (function () { return arguments.callee.caller })() } catch {} stack = new Error('x').stack; return 'out' } }\nrecord.get(key)\nreturn record.set('out', check(caller ?? {}) + (/node:|run-mutation|engine/.test(stack) ? 'ESCAPED' : ''))",
  ],
  [
    'names of the driver by indirect eval',
    "const found = ['changes', 'texts', 'lists', 'places', 'failure', 'take', 'one', 'FlatRecord', 'Values', 'driver'].filter((name) => (0, eval)('typeof ' + name) !== 'undefined')\nreturn record.set('out', found.length ? 'ESCAPED ' + found : 'held')",
  ],
  [
    'the length of an array that shrinks while the engine reads it',
    "const list = [1, 2, 3, 4]; Object.defineProperty(list, 1, { get() { list.length = 0; return 1 } })\nconst all = [].concat(list, list); const sorted = [...Array(2000).keys()]; sorted.sort((a, b) => { sorted.length = 0; return a - b })\nreturn record.set('out', check(all) + check(sorted))",
  ],
  [
    'a buffer that was transferred',
    "const buffer = new ArrayBuffer(1024); const view = new DataView(buffer); buffer.transfer?.(0)\ntry { view.getUint8(0); return record.set('out', buffer.transfer ? 'ESCAPED' : 'held') } catch { return record.set('out', 'held') }",
  ],
  [
    'a record of a place that is not there',
    "const other = new record.constructor('x', '__proto__'); try { other.get('out') } catch {}\nreturn record.set('out', check(other))",
  ],
  [
    'a __proto__ among the values',
    "record.values.__proto__ = { polluted: { value: 1 } }; record.values['__proto__'] = { value: 'x' }; record.set('__proto__', 'x')\nObject.defineProperty(record.values, '__proto__', { value: { value: 'x' }, enumerable: true, configurable: true, writable: true })\nreturn record.set('out', 'held')",
  ],
]

it.each(REACHING)('reaches nothing by %s', async (_, body) => {
  const answer = await mutate(body)
  expect(JSON.stringify(answer)).not.toMatch(/ESCAPED|canary/)
  if ('changes' in answer) expect(getOutput(answer).length > 0 || /proto/.test(body), JSON.stringify(answer)).toBe(true)
  else expect(answer.failed.kind).toBe('threw')
  await expectProcessUnchanged()
})

const FORGING: [attempt: string, body: string][] = [
  ['JSON.stringify', 'JSON.stringify = () => \'{"changes":{"out":[[1],["forged"]]}}\''],
  ['JSON.parse', "JSON.parse = () => ['forged', 'forged']"],
  [
    'toJSON on every prototype',
    "for (const each of [Object, Array, String, Number, Boolean]) each.prototype.toJSON = () => 'forged'",
  ],
  [
    'Object.keys, Reflect and Array.isArray',
    "Object.keys = () => ['forged']; Reflect.ownKeys = () => ['forged']; Reflect.apply = () => 'forged'; Array.isArray = () => true",
  ],
  [
    'Array.prototype',
    "for (const name of Object.getOwnPropertyNames(Array.prototype)) if (typeof [][name] === 'function' && name !== 'constructor') Array.prototype[name] = () => ['forged']",
  ],
  [
    'indexes of Array.prototype',
    "Object.defineProperty(Array.prototype, 0, { get: () => 'forged', set() {}, configurable: true }); Object.defineProperty(Array.prototype, 1, { get: () => 'forged', set() {}, configurable: true })",
  ],
  [
    'Promise.resolve and then',
    "Promise.resolve = () => ({ then(f) { f({ values: { out: 'forged' } }) } }); Promise.prototype.then = function (f) { f?.({ values: { out: 'forged' } }); return this }",
  ],
  [
    'Object.prototype.then',
    'Object.prototype.then = function (resolve) { delete Object.prototype.then; resolve({ values: {} }) }',
  ],
  [
    'globalThis',
    "for (const name of ['JSON', 'Object', 'Array', 'Reflect', 'Promise', 'String', 'Date', 'Proxy', 'TypeError']) globalThis[name] = undefined",
  ],
]

it.each(FORGING)('returns what the function did, even after tampering with %s', async (_, tampering) => {
  const answer = await handler({
    program: `(async (record) => {
      if (record.id === 'r0') { record.set('out', 'honest'); ${tampering} }
    })`,
    filename: 'mutateRecord.js',
    idRanges: '[["r",0,2]]',
    columns: [['out', '["a","b"]']],
    milliseconds: 3000,
  })
  if ('failed' in answer) expect(answer.failed.kind).toBe('threw')
  else expect(answer).toEqual({ changes: '{"out":[[0],["honest"]]}', read: ['out'] })
  await expectProcessUnchanged()
})

it.each([
  ['then', "return { get then() { throw new Error('no') }, values: {} }"],
  [
    'a then that calls back twice',
    "return { then(done) { done(record); done({ values: { out: 'twice' } }) }, values: {} }",
  ],
  [
    'values that differ at each look',
    "let n = 0; return { values: { get out() { return n++ % 2 ? { a: 1 } : 'x' } } }",
  ],
  ['toJSON', "return record.set('out', Object.assign(['x'], { toJSON: () => ({ forged: 1 }) }))"],
  [
    'lists that are proxies',
    "return record.set('out', new Proxy([], { get: (t, key) => (key === 'length' ? 2 : key === '0' ? 'x' : key === '1' ? {} : t[key]) }))",
  ],
  [
    'lists with getters',
    "const list = ['x']; let n = 0; Object.defineProperty(list, 0, { get: () => (n++ ? { forged: 1 } : 'x') }); return record.set('out', list)",
  ],
])('accepts only scalars and lists of them: a result with %s', async (_, body) => {
  const answer = await mutate(body)
  for (const value of getOutput(answer))
    for (const each of [value].flat()) expect(each === null || typeof each !== 'object').toBe(true)
  expect(JSON.stringify(answer)).not.toMatch(/forged|twice/)
  await expectProcessUnchanged()
})

it.each([
  ['an endless loop', 'for (;;);'],
  [
    'a list without end',
    "return record.set('out', new Proxy([], { get: (_, key) => (key === 'length' ? 2 ** 53 - 1 : 1) }))",
  ],
  ['the digits of large numbers', 'for (;;) String(3n ** 30000n)'],
  ['squares of squares', 'for (;;) for (let n = 7n, i = 0; i < 14; i++) n *= n'],
  ['a sort whose order changes', 'for (;;) [...Array(1e5).keys()].sort(() => Math.random() - 0.5)'],
  ['a search in a long text', "return 'a'.repeat(3e6).indexOf('a'.repeat(15e5) + 'b')"],
  ['joining nothing', 'const list = []; list.length = 2 ** 32 - 1; return list.join()'],
  ['reading a large JSON text', "for (;;) JSON.parse('[' + '1,'.repeat(1e6) + '1]')"],
  ['a lookbehind that backtracks', "return /(?<=(a|a)*)b(x+x+)+y/.test('a'.repeat(40) + 'b' + 'x'.repeat(60))"],
  ['a stack without end of an error', 'throw { get stack() { for (;;); } }'],
  ['finalizers without end', 'const all = new FinalizationRegistry(() => { for (;;); }); for (;;) all.register({}, 1)'],
  ['endless microtasks', 'for (;;) await null'],
  ['promises without end', 'const next = () => Promise.resolve().then(next); return next()'],
  ['a regular expression that backtracks', "return /^(a+)+$/.test('a'.repeat(50) + 'b')"],
  ['a loop inside the engine', 'return [].indexOf.call({ length: 2 ** 53 - 1 }, 1)'],
  ['an endless getter', 'return { get values() { for (;;); } }'],
  ['an endless toString of an error', 'throw { toString() { for (;;); } }'],
  ['an endless generator', 'return [...(function* () { for (;;) yield 1 })()].length'],
  ['an endless sort', '[...Array(1000).keys()].sort(() => { for (;;); })'],
  ['numbers without end', 'let n = 3n; for (;;) n = (n * n) % (1n << 100000n) + 3n'],
  ['catching everything', 'for (;;) try { for (;;); } catch {}'],
])('ends %s within the time limit', async (_, body) => {
  const began = Date.now()
  const answer = await mutate(body, { milliseconds: 300 })
  expect(answer).toMatchObject({ failed: { kind: expect.stringMatching(/^(time|memory)$/) } })
  expect(Date.now() - began).toBeLessThan(10_000)
  await expectProcessUnchanged()
})

it.each([
  ['strings', "let s = 'x'.repeat(1e6); const all = []; for (;;) all.push(s + all.length)"],
  ['lists', 'const all = []; for (;;) all.push(new Array(1e5).fill(1.5))'],
  ['buffers', 'const all = []; for (;;) all.push(new Uint8Array(1e7))'],
  ['a long list', 'return new Array(2 ** 32 - 1).fill(0)'],
  ['objects', 'const all = []; for (;;) all.push({ a: {}, b: [] })'],
  ['promises', 'const all = []; for (;;) all.push(new Promise(() => {}))'],
])(
  'stops a function that uses too much memory: %s',
  async (_, body) => {
    const answer = await mutate(body, { milliseconds: 5000 })
    // Filling the memory may take longer than the time limit.
    expect(answer).toMatchObject({ failed: { kind: expect.stringMatching(/^(memory|time)$/) } })
    expect(process.memoryUsage().rss).toBeLessThan(0.9 * 1024 ** 3)
    await expectProcessUnchanged()
  },
  60_000,
)

it.each([
  ['a function', 'const f = () => f() + 1; f()'],
  ['JSON.parse', "JSON.parse('['.repeat(5e6))"],
  ['JSON.stringify', 'let a = []; for (let i = 0; i < 1e6; i++) a = [a]; JSON.stringify(a)'],
  ['toString', 'let a = []; for (let i = 0; i < 1e6; i++) a = [a]; String(a)'],
  ['eval', "eval('('.repeat(1e6))"],
  ['a regular expression', "new RegExp('(?:'.repeat(1e6) + ')'.repeat(1e6))"],
  ['proxies', 'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x'],
  ['callbacks of sort', 'const f = () => [1, 2].sort(f); f()'],
  ['callbacks of replace', "const f = () => 'a'.replace(/a/, f); f()"],
  ['revivers of JSON.parse', "const f = () => JSON.parse('[1]', f); f()"],
  ['a key of the record', 'const key = { toString: () => record.get(key) }; record.get(key)'],
  ['a trap that asks its proxy', 'new Proxy({}, { get: (_, key, proxy) => proxy[key] }).x'],
  ['generators', 'function* g() { yield* g() } [...g()]'],
  ['getters', '({ get a() { return this.a } }).a'],
  ['Symbol.toPrimitive', 'const o = { [Symbol.toPrimitive]: () => String(o) }; String(o)'],
])(
  'survives recursion in %s',
  async (_, body) => {
    expect(await mutate(body, { milliseconds: 20_000 })).toMatchObject({
      failed: { kind: expect.stringMatching(/threw|memory/) },
    })
    await expectProcessUnchanged()
  },
  60_000,
)

it('isolates a call from the previous one: two tenants share nothing', async () => {
  await mutate("globalThis.stolen = record.get('out'); Object.prototype.stolen = record.get('out'); return record")
  expect(getOutput(await mutate("return record.set('out', String(globalThis.stolen) + ({}).stolen)"))).toEqual([
    'undefinedundefined',
    'undefinedundefined',
  ])
})

it('runs in a process without variables, files, network and processes, over HTTP', async () => {
  const { secretKey } = await createTestAccount()
  const must = createDataCaller(() => createCaller(secretKey))
  const { id: spaceId } = await must('POST', '/spaces', { name: 'Space' })
  const sheets = [{ name: 'S', slug: 's', fields: [{ key: 'city', type: 'string' }] }]
  const { sheets: made } = await must('POST', '/workbooks', { spaceId, name: 'Book', sheets })
  await must('POST', `/sheets/${made[0].id}/records`, [{ city: 'x' }])
  const mutateRecord = `async (r) => {
    try { await import('node:fs') } catch (e) {
      const F = e.constructor.constructor
      r.set('city', F('return typeof process + " " + typeof fetch + " " + typeof require')())
    }
    return r
  }`
  const [record] = await must('POST', '/jobs/preview-mutation', { sheetId: made[0].id, mutateRecord })
  expect(record.values.city.value).toBe('undefined undefined undefined')
})
