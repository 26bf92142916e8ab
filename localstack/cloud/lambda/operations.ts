/**
 * The operations of the Lambda API on functions and what belongs to them, each from parsed input to the answer's body.
 * Knows nothing of HTTP paths; runs functions only through the executor and the queue.
 */
import * as z from 'zod'
import type { Credentials } from '../signature/signature.ts'
import type { AsyncQueue } from './async-queue.ts'
import { codeFacts } from './code.ts'
import {
  checkRevision,
  createFunctionInput,
  describeConfiguration,
  type FunctionConfiguration,
  newConfiguration,
  refusePublish,
  updateCodeInput,
  updateConfigurationInput,
  updatedConfiguration,
  uploadedCode,
  withNewCode,
} from './configuration.ts'
import { describeEventInvokeConfig, eventInvokeConfig, eventInvokeConfigInput } from './event-invoke-config.ts'
import type { Executor } from './executor.ts'
import type { FunctionRecord, Functions } from './functions.ts'
import { functionArn } from './names.ts'
import { addPermissionInput, policyDocument, withoutPermission, withPermission } from './policy.ts'
import { AwsError, parseInput, validationError } from './wire.ts'

export interface LambdaParts {
  functions: Functions
  executor: Executor
  queue: AsyncQueue
  /** Those of the embedded cloud. */
  credentials?: Credentials
}

const LARGEST_PAGE = 50
const concurrencyInput = z.object({ ReservedConcurrentExecutions: z.int().min(0).max(1000) })
const tagsInput = z.object({ Tags: z.record(z.string(), z.string()) })

const notFound = (message: string) => new AwsError(404, 'ResourceNotFoundException', message)

export function createFunction({ functions }: LambdaParts, body: unknown) {
  const input = parseInput(createFunctionInput, body)
  refusePublish(input.Publish)
  const zip = uploadedCode(input.Code)
  const configuration = newConfiguration(input, codeFacts(zip))
  functions.create({ configuration, tags: input.Tags, policy: [] }, zip)
  return describeConfiguration(configuration)
}

/** `location` is where the package can be downloaded. */
export function getFunction({ functions }: LambdaParts, name: string, location: string) {
  const { configuration, tags, reservedConcurrency } = functions.get(name)
  const isPlatform = functions.platformHandler(name) !== undefined
  return {
    Configuration: describeConfiguration(configuration),
    Code: { RepositoryType: 'S3', Location: isPlatform ? undefined : location },
    Tags: Object.keys(tags).length ? tags : undefined,
    Concurrency: concurrencyOf(reservedConcurrency),
  }
}

export const getFunctionConfiguration = ({ functions }: LambdaParts, name: string) =>
  describeConfiguration(functions.get(name).configuration)

export function updateFunctionCode({ functions, executor }: LambdaParts, name: string, body: unknown) {
  const input = parseInput(updateCodeInput, body)
  const record = functions.getMutable(name)
  checkRevision(record.configuration, input.RevisionId)
  refusePublish(input.Publish)
  const zip = uploadedCode(input)
  const configuration = withNewCode(record.configuration, codeFacts(zip))
  if (input.DryRun) return describeConfiguration(configuration)
  functions.addCode(configuration, zip)
  functions.save({ ...record, configuration })
  removeCodeLater(functions, executor, record.configuration)
  return describeConfiguration(configuration)
}

export function updateFunctionConfiguration({ functions, executor }: LambdaParts, name: string, body: unknown) {
  const input = parseInput(updateConfigurationInput, body)
  const record = functions.getMutable(name)
  const configuration = updatedConfiguration(record.configuration, input)
  functions.save({ ...record, configuration })
  void executor.retire(name)
  return describeConfiguration(configuration)
}

export function deleteFunction({ functions, executor }: LambdaParts, name: string): void {
  const { configuration } = functions.getMutable(name)
  functions.remove(name)
  // Nothing else would end a call that never ends by itself. In AWS it runs until its timeout, on a machine of its own.
  void executor.stop(name).then(() => functions.removeCode(configuration))
}

/** Calls that run now end with the code they began with. */
function removeCodeLater(functions: Functions, executor: Executor, configuration: FunctionConfiguration): void {
  void executor.retire(configuration.name).then(() => functions.removeCode(configuration))
}

/** A page of functions by name; the marker is the last name of the page before. */
export function listFunctions({ functions }: LambdaParts, marker: string | null, maxItems: string | null) {
  const limit = maxItems === null ? LARGEST_PAGE : Number(maxItems)
  if (!Number.isInteger(limit) || limit < 1)
    throw validationError(`Value '${maxItems}' at 'maxItems' is not a page size`)
  const rest = functions.list().filter(({ configuration }) => configuration.name > (marker ?? ''))
  const page = rest.slice(0, Math.min(limit, LARGEST_PAGE))
  return {
    Functions: page.map(({ configuration }) => describeConfiguration(configuration)),
    NextMarker: page.length < rest.length ? page.at(-1)?.configuration.name : undefined,
  }
}

export function addPermission({ functions }: LambdaParts, name: string, body: unknown) {
  const permission = parseInput(addPermissionInput, body)
  const record = functions.get(name)
  checkRevision(record.configuration, permission.RevisionId)
  const policy = withPermission(record.policy, permission, functionArn(name))
  functions.save({ ...record, policy })
  return { Statement: JSON.stringify(policy.at(-1)) }
}

export function removePermission({ functions }: LambdaParts, name: string, statementId: string): void {
  const record = functions.get(name)
  functions.save({ ...record, policy: withoutPermission(record.policy, statementId) })
}

export function getPolicy({ functions }: LambdaParts, name: string) {
  const { policy, configuration } = functions.get(name)
  if (!policy.length) throw notFound('The resource you requested does not exist.')
  return { Policy: policyDocument(policy), RevisionId: configuration.revisionId }
}

/** Sets what asynchronous invocations of a function are subject to; `keep` leaves what the input does not name. */
export function setEventInvokeConfig({ functions }: LambdaParts, name: string, body: unknown, keep: boolean) {
  const input = parseInput(eventInvokeConfigInput, body)
  const record = functions.get(name)
  const before = keep ? eventInvokeConfigOf(record) : {}
  const config = eventInvokeConfig(name, input, before)
  functions.save({ ...record, eventInvokeConfig: config })
  return describeEventInvokeConfig(name, config)
}

export const getEventInvokeConfig = ({ functions }: LambdaParts, name: string) =>
  describeEventInvokeConfig(name, eventInvokeConfigOf(functions.get(name)))

export function deleteEventInvokeConfig({ functions }: LambdaParts, name: string): void {
  const record = functions.get(name)
  eventInvokeConfigOf(record)
  functions.save({ ...record, eventInvokeConfig: undefined })
}

function eventInvokeConfigOf({ configuration, eventInvokeConfig }: FunctionRecord) {
  if (eventInvokeConfig) return eventInvokeConfig
  throw notFound(`The function ${functionArn(configuration.name)}:$LATEST doesn't have an EventInvokeConfig`)
}

export function putConcurrency({ functions, queue }: LambdaParts, name: string, body: unknown) {
  const { ReservedConcurrentExecutions } = parseInput(concurrencyInput, body)
  functions.save({ ...functions.get(name), reservedConcurrency: ReservedConcurrentExecutions })
  queue.pump(name)
  return { ReservedConcurrentExecutions }
}

export const getConcurrency = ({ functions }: LambdaParts, name: string) =>
  concurrencyOf(functions.get(name).reservedConcurrency) ?? {}

export function deleteConcurrency({ functions, queue }: LambdaParts, name: string): void {
  functions.save({ ...functions.get(name), reservedConcurrency: undefined })
  queue.pump(name)
}

const concurrencyOf = (reserved: number | undefined) =>
  reserved === undefined ? undefined : { ReservedConcurrentExecutions: reserved }

export const listTags = ({ functions }: LambdaParts, name: string) => ({ Tags: functions.get(name).tags })

export function tagResource({ functions }: LambdaParts, name: string, body: unknown): void {
  const record = functions.get(name)
  functions.save({ ...record, tags: { ...record.tags, ...parseInput(tagsInput, body).Tags } })
}

export function untagResource({ functions }: LambdaParts, name: string, keys: string[]): void {
  const record = functions.get(name)
  const tags = Object.fromEntries(Object.entries(record.tags).filter(([key]) => !keys.includes(key)))
  functions.save({ ...record, tags })
}
