/** Malformed requests: misspelled names, empty ids and values of the wrong type. */
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { formatIssue } from '../../schemas/kit/shape-messages.ts'
import { getServer } from '../support/api.ts'
import { account, call, createFreshSpace, spaceId } from '../support/fresh-account.ts'
import { createSheet } from '../support/resources.ts'

let sheetId: string

beforeAll(async () => {
  await createFreshSpace({ name: 'Slips' })
  sheetId = (await createSheet([{ key: 'name', type: 'string' }])).sheetId
})

const toErrors = ({ status, body }: { status: number; body: { errors: object[] } }) => [status, body.errors]
const misspelling = (key: string, meant: string) => ({ key, message: `is not a known name. Did you mean ${meant}?` })
const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: object) =>
  fetch(`${getServer().baseUrl}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${account.secretKey}`, 'content-type': 'application/json', ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })

describe('an unknown name', () => {
  it('is rejected in a query when it resembles a known one', async () => {
    expect(toErrors(await call('GET', '/spaces?environmentID=x&pagesize=5'))).toEqual([
      400,
      [misspelling('environmentID', 'environmentId'), misspelling('pagesize', 'pageSize')],
    ])
    expect(toErrors(await call('GET', `/sheets/${sheetId}/records?includeMesages=true`))).toEqual([
      400,
      [misspelling('includeMesages', 'includeMessages')],
    ])
  })

  it('is rejected in a body at any depth, together with the other problems', async () => {
    const sheets = [{ name: 'People', feilds: [] }]
    expect(toErrors(await call('POST', '/workbooks', { spaceId, name: 5, sheets, lables: [] }))).toEqual([
      400,
      [
        { key: 'name', message: 'must be a string' },
        { key: 'sheets.0.fields', message: 'is required' },
        misspelling('sheets.0.feilds', 'fields'),
        misspelling('lables', 'labels'),
      ],
    ])
  })

  it('is rejected in a body that lacks required fields, together with those', async () => {
    expect(toErrors(await call('POST', '/workbooks', { name: 5, sheets: 'a', lables: [] }))).toEqual([
      400,
      [
        { key: 'name', message: 'must be a string' },
        { key: 'sheets', message: 'must be a list' },
        { key: 'spaceId', message: 'is required' },
        misspelling('lables', 'labels'),
      ],
    ])
    expect(toErrors(await call('POST', '/jobs', { operation: 3 }))).toEqual([
      400,
      expect.arrayContaining([
        { key: 'type', message: 'is required' },
        { key: 'operation', message: 'must be a string' },
      ]),
    ])
    expect(toErrors(await call('POST', '/workbooks', [] as never))).toEqual([
      400,
      [{ key: 'body', message: 'must be an object' }],
    ])
  })

  it('is ignored when it resembles no known name', async () => {
    expect((await call('GET', '/spaces?utm=1&tenant=x')).status).toBe(200)
    expect((await call('POST', '/spaces', { name: 'More', somethingElse: true })).status).toBe(200)
  })

  it('is ignored when published clients send it', async () => {
    for (const header of ['x-fern-sdk-name', 'x-disable-hooks'])
      expect((await ask('GET', '/spaces?pagesize=5', { [header]: 'true' })).status).toBe(200)
  })
})

describe('GET /sheets/{id}/download', () => {
  it('returns CSV, also when asked for by name, and rejects other formats', async () => {
    expect((await ask('GET', `/sheets/${sheetId}/download?format=csv`)).headers.get('content-type')).toMatch(/csv/)
    expect(toErrors(await call('GET', `/sheets/${sheetId}/download?format=json`))).toEqual([
      400,
      [{ key: 'format', message: 'must be csv: use a `sheet:export` job for xlsx, json and jsonl' }],
    ])
  })
})

describe('a path with an empty id', () => {
  it.each(['/sheets//records', '/spaces//', '/jobs//execute'])('%s is a 404 that explains it', async (path) => {
    const answer = await ask(path.endsWith('execute') ? 'POST' : 'GET', path)
    expect(answer.status).toBe(404)
    const { errors } = (await answer.json()) as { errors: { message: string }[] }
    expect(errors[0]!.message).toMatch(
      /^There is no endpoint .*\/\/.* The path has an empty segment, probably a missing id\.$/,
    )
  })

  it('is distinguished from doubled leading slashes, which clients send', async () => {
    expect((await ask('GET', `//spaces/${spaceId}`)).status).toBe(200)
  })
})

describe('the message of a validation problem', () => {
  const messageOf = (shape: z.ZodType, value: unknown) =>
    shape.safeParse(value, { error: formatIssue }).error?.issues[0]?.message

  it.each<[z.ZodType, unknown, string]>([
    [z.object({ a: z.string() }), {}, 'is required'],
    [z.string(), 5, 'must be a string'],
    [z.number(), 'x', 'must be a number'],
    [z.number().int(), 1.5, 'must be a whole number'],
    [z.boolean(), 'x', 'must be true or false'],
    [z.array(z.string()), 'x', 'must be a list'],
    [z.object({}), 'x', 'must be an object'],
    [z.record(z.string(), z.string()), 'x', 'must be an object'],
    [z.enum(['manual', 'immediate']), 'imediate', 'must be one of manual, immediate. Did you mean immediate?'],
    [z.enum(['a', 'b']), undefined, 'is required'],
    [z.literal('js'), 'ts', 'must be exactly js'],
    [z.string().min(1), '', 'must not be empty'],
    [z.string().min(3), 'a', 'must have at least 3 characters'],
    [z.string().max(1), 'ab', 'must have at most 1 character'],
    [z.array(z.string()).min(1), [], 'must not be empty'],
    [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 entry'],
    [z.array(z.string()).max(2), ['a', 'b', 'c'], 'must have at most 2 entries'],
    [z.number().min(1), 0, 'must be at least 1'],
    [z.number().max(9), 10, 'must be at most 9'],
    [z.number().positive(), 0, 'must be more than 0'],
    [z.email(), 'x', 'must be an email address'],
    [z.iso.datetime(), 'x', 'must be a date and time with its zone, such as 2026-01-31T12:00:00Z'],
    [z.strictObject({}), { a: 1 }, 'has unknown properties: a'],
    [z.union([z.string(), z.number()]), true, 'is not valid'],
    [
      z.discriminatedUnion('type', [z.object({ type: z.literal('a') }), z.object({ type: z.literal('b') })]),
      { type: 'c' },
      'must be one of a, b',
    ],
  ])('is plain: %#', (shape, value, message) => {
    expect(messageOf(shape, value)).toBe(message)
  })

  it("is never the library's default, for invalid input to any endpoint", async () => {
    const { endpoints } = await import('../../schemas/index.ts')
    const { error } = { error: formatIssue }
    for (const { id, body, query } of endpoints)
      for (const shape of [body, query])
        for (const value of [
          5,
          'x',
          [],
          {},
          null,
          [{}],
          { id: 5, name: {}, type: 'nothing', pageSize: 'x', topics: 1 },
        ])
          for (const { message } of (shape as z.ZodType | undefined)?.safeParse(value, { error }).error?.issues ?? [])
            expect(message, id).not.toMatch(/^(Invalid|Too |Unrecognized|Required)|expected .*received/)
  })
})
