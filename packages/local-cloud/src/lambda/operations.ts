/** The operations of the Lambda API, from input to response body. */
import type { Credentials } from '../signature/signature.ts'
import type { AsyncQueue } from './async-queue.ts'
import { describeCode } from './code.ts'
import {
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
import type { Functions } from './functions.ts'
import { buildFunctionArn } from './names.ts'
import { addPermissionInput, addStatement, removeStatement } from './policy.ts'
import { parseInput, validationError } from './wire.ts'

export interface LambdaComponents {
  functions: Functions
  executor: Executor
  queue: AsyncQueue
  credentials?: Credentials
}

const MAX_FUNCTIONS_PER_PAGE = 50

export function createFunction({ functions }: LambdaComponents, body: unknown) {
  const input = parseInput(createFunctionInput, body)
  const zip = readUploadedCode(input.Code)
  const configuration = createConfiguration(input, describeCode(zip))
  functions.create({ configuration, policy: [] }, zip)
  return describeConfiguration(configuration)
}

export function getFunction({ functions }: LambdaComponents, name: string, location: string) {
  const { configuration } = functions.get(name)
  const isPlatform = functions.getPlatformHandler(name) !== undefined
  return {
    Configuration: describeConfiguration(configuration),
    Code: { RepositoryType: 'S3', Location: isPlatform ? undefined : location },
  }
}

export const getFunctionConfiguration = ({ functions }: LambdaComponents, name: string) =>
  describeConfiguration(functions.get(name).configuration)

export function updateFunctionCode({ functions, executor }: LambdaComponents, name: string, body: unknown) {
  const zip = readUploadedCode(parseInput(updateCodeInput, body))
  const record = functions.getMutable(name)
  const configuration = replaceCode(record.configuration, describeCode(zip))
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
  const policy = addStatement(record.policy, permission, buildFunctionArn(name))
  functions.save({ ...record, policy })
  return { Statement: JSON.stringify(policy.at(-1)) }
}

export function removePermission({ functions }: LambdaComponents, name: string, statementId: string): void {
  const record = functions.get(name)
  functions.save({ ...record, policy: removeStatement(record.policy, statementId) })
}

export function putEventInvokeConfig({ functions }: LambdaComponents, name: string, body: unknown) {
  const config = buildEventInvokeConfig(name, parseInput(eventInvokeConfigInput, body))
  functions.save({ ...functions.get(name), eventInvokeConfig: config })
  return describeEventInvokeConfig(name, config)
}
