/** The grammar of https://www.w3.org/TR/trace-context-1/. */
import { describe, expect, it } from 'vitest'
import {
  createChild,
  formatTraceparent,
  getTraceFields,
  parseTrace,
  withTrace,
} from '../../../lib/core/trace-context.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'
const VALID = `00-${TRACE}-${SPAN}-01`

describe('a traceparent', () => {
  it.each([
    [VALID, true],
    [`00-${TRACE}-${SPAN}-00`, false],
    [`00-${TRACE}-${SPAN}-03`, true],
    [`00-${TRACE}-${SPAN}-02`, false],
    [`cc-${TRACE}-${SPAN}-01`, true],
    [`cc-${TRACE}-${SPAN}-01-more-fields`, true],
  ])('%s is valid', (traceparent, sampled) => {
    expect(parseTrace({ traceparent })).toMatchObject({ traceId: TRACE, spanId: SPAN, sampled })
  })

  it.each([
    '',
    'nonsense',
    `ff-${TRACE}-${SPAN}-01`,
    `0-${TRACE}-${SPAN}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-1`,
    `00-${TRACE}-${SPAN}-01-more`,
    `cc-${TRACE}-${SPAN}-01more`,
    `${VALID},${VALID}`,
    ` ${VALID}`,
  ])('%j is not, so its state is ignored, too', (traceparent) => {
    expect(parseTrace({ traceparent, tracestate: 'vendor=value' })).toBeUndefined()
  })
})

describe('a tracestate', () => {
  const parseState = (tracestate: string) => parseTrace({ traceparent: VALID, tracestate })?.state

  it.each([
    ['vendor=value', 'vendor=value'],
    [' one=1 , , t1@two=a b ', 'one=1,t1@two=a b'],
    ['0tenant@vendor=~!', '0tenant@vendor=~!'],
    ['Upper=1', undefined],
    ['0vendor=1', undefined],
    ['a=b=c', undefined],
    ['a=', undefined],
    ['a', undefined],
    ['a=ü', undefined],
    [Array.from({ length: 33 }, (_, index) => `k${index}=v`).join(','), undefined],
  ])('%j is carried as %j', (text, state) => {
    expect(parseState(text)).toBe(state)
  })

  it('that is too long loses its longest entries, then the last ones', () => {
    const short = Array.from({ length: 20 }, (_, index) => `k${index + 10}=${'v'.repeat(36)}`)
    const state = parseState([`long=${'x'.repeat(200)}`, ...short].join(','))!
    expect(state.split(',')).toEqual(short.slice(0, 12))
    expect(state.length).toBeLessThanOrEqual(512)
  })
})

it('a child has the trace and the state of its parent, and a new span', () => {
  const parent = parseTrace({ traceparent: VALID, tracestate: 'a=1' })
  const child = createChild(parent)
  expect(child).toEqual({ ...parent, spanId: expect.stringMatching(/^[0-9a-f]{16}$/) })
  expect(child.spanId).not.toBe(SPAN)
  expect(withTrace(child, getTraceFields)).toEqual({ traceparent: formatTraceparent(child), tracestate: 'a=1' })
  expect(getTraceFields()).toEqual({})
})

it('without a parent a valid trace begins', () => {
  const trace = createChild(undefined)
  expect(parseTrace({ traceparent: formatTraceparent(trace) })).toEqual({ ...trace, state: undefined })
})
