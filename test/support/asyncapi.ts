import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import { expect } from 'vitest'
import type { SocketMessage } from '../../schemas/live/socket.ts'

export interface AsyncApi {
  channels: { live: { messages: Record<string, { name: string; payload: object; examples: { payload: object }[] }> } }
  operations: Record<string, { messages: { $ref: string }[] }>
}

export const asyncApi = JSON.parse(readFileSync('schemas/generated/asyncapi.json', 'utf8')) as AsyncApi

const { messages } = asyncApi.channels.live
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
ajv.addSchema(asyncApi, 'asyncapi.json')

const byName = new Map(Object.entries(messages).map(([key, { name }]) => [name, key]))

export const compileMessage = (key: string): ValidateFunction =>
  ajv.compile({ $ref: `asyncapi.json#/channels/live/messages/${key}/payload` })

export function expectDocumented(message: SocketMessage): void {
  const name = message.type === 'event' ? message.event.topic : message.type
  const validate = compileMessage(byName.get(name) ?? 'Custom')
  expect(validate(message), `${name}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(message)}`).toBe(true)
}
