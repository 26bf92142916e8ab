/** The operations of the Lambda API, from input to response body. */
import * as z from 'zod'
import type { Credentials } from '../signature/signature.ts'
import type { AsyncQueue } from './async-queue.ts'
import { describeCode } from './code.ts'
import {
  assertNoPublish,
  checkRevision,
  createConfiguration,
  createFunctionInput,
  describeConfiguration,
  type FunctionConfiguration,
  readUploadedCode,
  replaceCode,
  updateCodeInput,
  updateConfiguration,
  updateConfigurationInput,
} from './configuration.ts'
import { buildEventInvokeConfig, describeEventInvokeConfig, eventInvokeConfigInput } from './event-invoke-config.ts'
import type { Executor } from './executor.ts'
import type { FunctionRecord, Functions } from './functions.ts'
import { buildFunctionArn } from './names.ts'
import { addPermissionInput, addStatement, formatPolicy, removeStatement } from './policy.ts'
import { AwsError, parseInput, validationError } from './wire.ts'

export interface LambdaComponents {
  functions: Functions
  executor: Executor
  queue: AsyncQueue
  credentials?: Credentials
}

const MAX_FUNCTIONS_PER_PAGE = 50
const concurrencyInput = z.object({ ReservedConcurrentExecutions: z.int().min(0).max(1000) })
const tagsInput = z.object({ Tags: z.record(z.string(), z.string()) })

const notFound = (message: string) => new AwsError(404, 'ResourceNotFoundException', message)

export function createFunction({ functions }: LambdaComponents, body: unknown) {
  const input = parseInput(createFunctionInput, body)
  assertNoPublish(input.Publish)
  const zip = readUploadedCode(input.Code)
  const configuration = createConfiguration(input, describeCode(zip))
  functions.create({ configuration, tags: input.Tags, policy: [] }, zip)
  return describeConfiguration(configuration)
}

export function getFunction({ functions }: LambdaComponents, name: string, location: string) {
  const { configuration, tags, reservedConcurrency } = functions.get(name)
  const isPlatform = functions.getPlatformHandler(name) !== undefined
  return {
    Configuration: describeConfiguration(configuration),
    Code: { RepositoryType: 'S3', Location: isPlatform ? undefined : location },
    Tags: Object.keys(tags).length ? tags : undefined,
    Concurrency: toConcurrencyResponse(reservedConcurrency),
  }
}

export const getFunctionConfiguration = ({ functions }: LambdaComponents, name: string) =>
  describeConfiguration(functions.get(name).configuration)

export function updateFunctionCode({ functions, executor }: LambdaComponents, name: string, body: unknown) {
  const input = parseInput(updateCodeInput, body)
  const record = functions.getMutable(name)
  checkRevision(record.configuration, input.RevisionId)
  assertNoPublish(input.Publish)
  const zip = readUploadedCode(input)
  const configuration = replaceCode(record.configuration, describeCode(zip))
  if (input.DryRun) return describeConfiguration(configuration)
  functions.addCode(configuration, zip)
  functions.save({ ...record, configuration })
  removeCodeLater(functions, executor, record.configuration)
  return describeConfiguration(configuration)
}

export function updateFunctionConfiguration({ functions, executor }: LambdaComponents, name: string, body: unknown) {
  const input = parseInput(updateConfigurationInput, body)
  const record = functions.getMutable(name)
  const configuration = updateConfiguration(record.configuration, input)
  functions.save({ ...record, configuration })
  void executor.retire(name)
  return describeConfiguration(configuration)
}

export function deleteFunction({ functions, executor }: LambdaComponents, name: string): void {
  const { configuration } = functions.getMutable(name)
  functions.remove(name)
  // A call may never end; AWS would let it run until its timeout.
  void executor.stop(name).then(() => functions.removeCode(configuration))
}

function removeCodeLater(functions: Functions, executor: Executor, configuration: FunctionConfiguration): void {
  void executor.retire(configuration.name).then(() => functions.removeCode(configuration))
}

export function listFunctions({ functions }: LambdaComponents, marker: string | null, maxItems: string | null) {
  const limit = maxItems === null ? MAX_FUNCTIONS_PER_PAGE : Number(maxItems)
  if (!Number.isInteger(limit) || limit < 1)
    throw validationError(`Value '${maxItems}' at 'maxItems' is not a valid page size`)
  const remaining = functions.list().filter(({ configuration }) => configuration.name > (marker ?? ''))
  const page = remaining.slice(0, Math.min(limit, MAX_FUNCTIONS_PER_PAGE))
  return {
    Functions: page.map(({ configuration }) => describeConfiguration(configuration)),
    NextMarker: page.length < remaining.length ? page.at(-1)?.configuration.name : undefined,
  }
}

export function addPermission({ functions }: LambdaComponents, name: string, body: unknown) {
  const permission = parseInput(addPermissionInput, body)
  const record = functions.get(name)
  checkRevision(record.configuration, permission.RevisionId)
  const policy = addStatement(record.policy, permission, buildFunctionArn(name))
  functions.save({ ...record, policy })
  return { Statement: JSON.stringify(policy.at(-1)) }
}

export function removePermission({ functions }: LambdaComponents, name: string, statementId: string): void {
  const record = functions.get(name)
  functions.save({ ...record, policy: removeStatement(record.policy, statementId) })
}

export function getPolicy({ functions }: LambdaComponents, name: string) {
  const { policy, configuration } = functions.get(name)
  if (!policy.length) throw notFound('The resource you requested does not exist.')
  return { Policy: formatPolicy(policy), RevisionId: configuration.revisionId }
}

export function setEventInvokeConfig(
  { functions }: LambdaComponents,
  name: string,
  body: unknown,
  retainMissing: boolean,
) {
  const input = parseInput(eventInvokeConfigInput, body)
  const record = functions.get(name)
  const existing = retainMissing ? requireEventInvokeConfig(record) : {}
  const config = buildEventInvokeConfig(name, input, existing)
  functions.save({ ...record, eventInvokeConfig: config })
  return describeEventInvokeConfig(name, config)
}

export const getEventInvokeConfig = ({ functions }: LambdaComponents, name: string) =>
  describeEventInvokeConfig(name, requireEventInvokeConfig(functions.get(name)))

export function deleteEventInvokeConfig({ functions }: LambdaComponents, name: string): void {
  const record = functions.get(name)
  requireEventInvokeConfig(record)
  functions.save({ ...record, eventInvokeConfig: undefined })
}

function requireEventInvokeConfig({ configuration, eventInvokeConfig }: FunctionRecord) {
  if (eventInvokeConfig) return eventInvokeConfig
  throw notFound(`The function ${buildFunctionArn(configuration.name)}:$LATEST doesn't have an EventInvokeConfig`)
}

export function putConcurrency({ functions, queue }: LambdaComponents, name: string, body: unknown) {
  const { ReservedConcurrentExecutions } = parseInput(concurrencyInput, body)
  functions.save({ ...functions.get(name), reservedConcurrency: ReservedConcurrentExecutions })
  queue.pump(name)
  return { ReservedConcurrentExecutions }
}

export const getConcurrency = ({ functions }: LambdaComponents, name: string) =>
  toConcurrencyResponse(functions.get(name).reservedConcurrency) ?? {}

export function deleteConcurrency({ functions, queue }: LambdaComponents, name: string): void {
  functions.save({ ...functions.get(name), reservedConcurrency: undefined })
  queue.pump(name)
}

const toConcurrencyResponse = (reserved: number | undefined) =>
  reserved === undefined ? undefined : { ReservedConcurrentExecutions: reserved }

export const listTags = ({ functions }: LambdaComponents, name: string) => ({ Tags: functions.get(name).tags })

export function tagResource({ functions }: LambdaComponents, name: string, body: unknown): void {
  const record = functions.get(name)
  functions.save({ ...record, tags: { ...record.tags, ...parseInput(tagsInput, body).Tags } })
}

export function untagResource({ functions }: LambdaComponents, name: string, keys: string[]): void {
  const record = functions.get(name)
  const tags = Object.fromEntries(Object.entries(record.tags).filter(([key]) => !keys.includes(key)))
  functions.save({ ...record, tags })
}
