/** The AsyncAPI document is valid by the schema of its standard, and describes every topic. */
import specs from '@asyncapi/specs'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { topics } from '../../schemas/index.ts'
import { getServer } from '../support/api.ts'
import { asyncApi, compileMessage } from '../support/asyncapi.ts'

const standard = specs.schemasWithoutId['3.0.0']
const { messages } = asyncApi.channels.live

describe('the AsyncAPI document', () => {
  it('is served without authentication', async () => {
    const response = await fetch(new URL('/docs/asyncapi.json', getServer().baseUrl))
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await response.json()).toEqual(asyncApi)
  })

  it('is valid, and would not be with an unknown property', () => {
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(standard)
    expect(validate(asyncApi), JSON.stringify(validate.errors)).toBe(true)
    expect(validate({ ...asyncApi, paths: {} })).toBe(false)
  })

  it('has a message for every topic, each with an example that its schema accepts', () => {
    const names = Object.values(messages).map(({ name }) => name)
    for (const { topic } of topics) expect(names).toContain(topic)
    for (const [key, { examples }] of Object.entries(messages)) {
      const validate = compileMessage(key)
      for (const { payload } of examples)
        expect(validate(payload), `${key}: ${JSON.stringify(validate.errors)}`).toBe(true)
      expect(validate({ type: 'unknown' }), key).toBe(false)
    }
  })

  it('names only messages that exist, and each of them in an operation', () => {
    const named = Object.values(asyncApi.operations).flatMap((operation) =>
      [...JSON.stringify(operation).matchAll(/messages\/(\w+)"/g)].map(([, key]) => key),
    )
    expect([...new Set(named)].toSorted()).toEqual(Object.keys(messages).toSorted())
  })
})
