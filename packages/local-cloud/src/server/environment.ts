/** The environment of functions that run in this process. Agents run in other processes and get none of it. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REGION } from '../service.ts'
import type { Credentials } from '../signature/signature.ts'
import type { Stack } from '../stack.ts'

export interface CloudAccess {
  endpoint: string
  credentials: Credentials
}

/** New at each start, so that leaked credentials become useless. */
export const createCredentials = (): Credentials => ({
  accessKeyId: `WHARF${randomBytes(10).toString('hex').toUpperCase()}`,
  secretAccessKey: randomBytes(30).toString('base64url'),
})

export const buildToolEnvironment = ({ endpoint, credentials }: CloudAccess): Record<string, string> => ({
  AWS_ENDPOINT_URL: endpoint,
  AWS_REGION: REGION,
  AWS_DEFAULT_REGION: REGION,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
})

const SECRET_FILE = 'secret'

/** Variables that would direct an SDK client to other credentials or another address. */
const isMisleading = (name: string) =>
  name.startsWith('AWS_ENDPOINT_URL_') || ['AWS_PROFILE', 'AWS_SESSION_TOKEN', 'AWS_DEFAULT_REGION'].includes(name)

/**
 * `overrides` replace variables of the stack.
 * @throws Error if two functions set a variable to different values: they share a process here
 */
export function buildFunctionEnvironment(
  stack: Stack,
  access: CloudAccess,
  overrides: Record<string, string> = {},
): Record<string, string> {
  const environment: Record<string, string> = {
    ...stack.environment,
    ...buildToolEnvironment(access),
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    ...overrides,
  }
  for (const { key, environment: functionVariables } of stack.functions) {
    for (const [name, value] of Object.entries(functionVariables)) {
      if (name in environment && environment[name] !== value)
        throw new Error(
          `The function ${key} sets ${name} to a different value, but all functions share one environment here.`,
        )
      environment[name] = value
    }
  }
  return environment
}

export function setEnvironment(environment: Record<string, string>): () => void {
  const previousValues = new Map<string, string | undefined>()
  const setVariable = (name: string, value: string | undefined) => {
    previousValues.set(name, process.env[name])
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  for (const name of Object.keys(process.env).filter(isMisleading)) setVariable(name, undefined)
  for (const [name, value] of Object.entries(environment)) setVariable(name, value)
  return () => {
    for (const [name, value] of previousValues) setVariable(name, value)
  }
}

/** The secret of this data folder, created with it, so that encrypted values are readable after a restart. */
export function loadDataFolderSecret(folder: string): string {
  const path = join(folder, SECRET_FILE)
  if (!existsSync(path)) writeFileSync(path, randomBytes(48).toString('base64url'), { mode: 0o600 })
  return readFileSync(path, 'utf8')
}
