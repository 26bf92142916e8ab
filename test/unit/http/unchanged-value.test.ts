import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { tryParseJson } from '../../../lib/core/json.ts'
import { findTypos } from '../../../lib/http/typos.ts'
import { isUnchangedBy } from '../../../lib/http/unchanged-value.ts'
import { endpoints } from '../../../schemas/index.ts'
import type { Contract } from '../../../schemas/kit/endpoint.ts'
import * as columns from '../../../schemas/records/columns.ts'
import * as records from '../../../schemas/records/endpoints.ts'
import { arbitraryRequests } from '../../support/arbitrary-request.ts'
import { runs } from '../../support/runs.ts'

const contracts = (endpoints as readonly Contract[]).filter(
  ({ body, bodyType = 'json' }) => body && bodyType === 'json',
) as (Contract & { body: z.ZodType })[]
const texts = fc.constantFrom('a', 'id', 'value', 'values', 'string', 'email', '2026-01-02', 'us_rc_1_2_3')

function expectSameAsSchema(schema: z.ZodType, value: unknown): boolean {
  if (!isUnchangedBy(schema, value)) return false
  expect(schema.parse(structuredClone(value))).toStrictEqual(value)
  expect(findTypos(schema, value)).toEqual([])
  return true
}

describe('a value that a schema leaves unchanged', () => {
  it.each(contracts.map((contract) => [contract.id, contract] as const))('is one that %s accepts', (_, contract) => {
    expectSameAsSchema(contract.body, contract.example.body)
    fc.assert(
      fc.property(arbitraryRequests(contract, {}, texts), ({ body = '' }) => {
        const parsed = tryParseJson(body)
        if (parsed !== undefined) expectSameAsSchema(contract.body, parsed)
      }),
      { numRuns: runs(30) },
    )
  })

  it('includes updates of records, so that pages are written back fast', () => {
    const id = 'us_rc_x_0_0_1'
    const cells = { value: 'x', messages: [{ type: 'error', message: 'm' }], valid: true, links: [] }
    for (const body of [
      [
        {
          id,
          values: { name: { value: 'x' }, age: { value: 1 }, tags: { value: ['a', null] }, none: { value: null } },
        },
      ],
      [{ id, values: { name: cells }, valid: true, metadata: { a: {} }, config: null, versionId: 'us_vr_1' }],
      [{ id }],
      [],
    ])
      expect(expectSameAsSchema(records.update.body, body)).toBe(true)
    const body = { ids: [id], columns: { name: { rows: [0], values: ['x'] } }, metadata: [{ row: 0, value: {} }] }
    expect(expectSameAsSchema(columns.write.body, body)).toBe(true)
  })

  it.each<[string, z.ZodType, unknown]>([
    ['is changed by a transform', z.string().transform((text) => text.length), 'x'],
    ['is changed by trimming', z.string().trim(), ' x'],
    ['is coerced', z.coerce.number(), 1],
    ['lacks a property with a default', z.object({ a: z.string().default('x') }), {}],
    ['lacks an optional property with a default', z.object({ a: z.string().default('x').optional() }), {}],
    ['lacks a required property', z.object({ a: z.string() }), {}],
    ['has a property that is dropped', z.object({ a: z.string() }), { a: 'x', b: 1 }],
    ['has a property that is rejected', z.strictObject({ a: z.string() }), { a: 'x', b: 1 }],
    ['is first accepted by a transforming option', z.union([z.string().transform(Number), z.string()]), '1'],
    ['fails a check', z.array(z.string()).max(1), ['a', 'b']],
    ['fails a format', z.email(), 'x'],
    ['fails a refinement of an object', z.object({ a: z.number() }).refine(({ a }) => a > 1), { a: 1 }],
    ['has a key that the record rejects', z.record(z.string().min(2), z.number()), { a: 1 }],
    ['lacks a key of the record', z.record(z.enum(['a', 'b']), z.number()), { a: 1 }],
    ['has a prototype as a key', z.record(z.string(), z.number()), JSON.parse('{"__proto__":1}')],
    ['has a prototype as a property', z.looseObject({}), JSON.parse('{"__proto__":1}')],
    ['is infinite', z.number(), Number.POSITIVE_INFINITY],
  ])('is not one that %s', (_, schema, value) => {
    expect(isUnchangedBy(schema, value)).toBe(false)
  })

  it.each<[string, z.ZodType, unknown]>([
    ['a format', z.email(), 'a@b.cd'],
    ['an integer', z.number().int().min(0), 3],
    ['null', z.string().nullish(), null],
    ['a later option', z.union([z.string().transform(Number), z.object({ a: z.literal('x') })]), { a: 'x' }],
    ['an unknown property of a loose object', z.looseObject({ a: z.enum(['x']) }), { a: 'x', b: [1] }],
    ['a record', z.record(z.string(), z.boolean()), { a: true }],
  ])('is %s', (_, schema, value) => {
    expect(expectSameAsSchema(schema, value)).toBe(true)
  })
})
