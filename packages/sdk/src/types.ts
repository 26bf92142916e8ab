import type { components } from './schema.generated.ts'

type Operations = components['schemas']['Operations']

export type OperationId = keyof Operations
/** A schema by its name in the OpenAPI document, such as `Schemas['Sheet']`. */
export type Schemas = Omit<components['schemas'], 'Operations'>

type Part<Id extends OperationId, Name extends string> = Operations[Id] extends { [N in Name]: infer Value }
  ? Value
  : never

export type Query<Id extends OperationId> = Part<Id, 'query'>
export type Body<Id extends OperationId> = Part<Id, 'body'>
/** The result of a method: `data` of the response if it has no other property. */
export type Reply<Id extends OperationId> = Part<Id, 'reply'>
export type Item<Id extends OperationId> = Part<Id, 'item'>

export type File = Schemas['File']
export type Job = Schemas['Job']
