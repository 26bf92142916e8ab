/**
 * What functions find in their environment on this machine: the stack's variables, the address of the embedded cloud, the
 * credentials of its start, and permission to call programs on this machine. Set on this process, because its functions run in it.
 * Agents' functions run in other processes and get none of it.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REGION } from '../service.ts'
import type { Credentials } from '../signature/signature.ts'
import type { Stack } from '../stack.ts'

/** What a platform and its tools are given of the embedded cloud. */
export interface CloudAccess {
  endpoint: string
  credentials: Credentials
  /** Ports of this machine that the platform itself listens on: requests to addresses that users chose may not go there. */
  ownPorts: readonly number[]
}

/** Made at each start, so that what leaked of an earlier one opens nothing. */
export const newCredentials = (): Credentials => ({
  accessKeyId: `WHARF${randomBytes(10).toString('hex').toUpperCase()}`,
  secretAccessKey: randomBytes(30).toString('base64url'),
})

/** What AWS's tools and SDKs need in their environment to ask this cloud. */
export const toolEnvironment = ({ endpoint, credentials }: CloudAccess): Record<string, string> => ({
  AWS_ENDPOINT_URL: endpoint,
  AWS_REGION: REGION,
  // Of older tools, and of those in Python.
  AWS_DEFAULT_REGION: REGION,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
})

const SECRET_FILE = 'secret'

/** Variables that would lead an SDK client past the embedded cloud, to other keys or another address. */
const isMisleading = (name: string) =>
  name.startsWith('AWS_ENDPOINT_URL_') || ['AWS_PROFILE', 'AWS_SESSION_TOKEN', 'AWS_DEFAULT_REGION'].includes(name)

/** @throws Error when two functions want different values of one variable: they share a process here */
export function functionEnvironment(stack: Stack, access: CloudAccess): Record<string, string> {
  const environment: Record<string, string> = {
    ...stack.environment,
    ...toolEnvironment(access),
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    OUTBOUND_LOOPBACK: 'on',
    OUTBOUND_CLOSED_PORTS: access.ownPorts.join(','),
    // One machine has one user, unless told otherwise.
    RATE_LIMIT: process.env.RATE_LIMIT ?? '0',
    ADDRESS_RATE_LIMIT: process.env.ADDRESS_RATE_LIMIT ?? '0',
  }
  for (const { key, environment: own } of stack.functions) {
    for (const [name, value] of Object.entries(own)) {
      if (name in environment && environment[name] !== value)
        throw new Error(`The function ${key} needs its own ${name}: not possible here.`)
      environment[name] = value
    }
  }
  return environment
}

/** Sets the variables on this process. @returns what puts the earlier ones back */
export function setEnvironment(environment: Record<string, string>): () => void {
  const earlier = new Map<string, string | undefined>()
  const change = (name: string, value: string | undefined) => {
    earlier.set(name, process.env[name])
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  for (const name of Object.keys(process.env).filter(isMisleading)) change(name, undefined)
  for (const [name, value] of Object.entries(environment)) change(name, value)
  return () => {
    for (const [name, value] of earlier) change(name, value)
  }
}

/** The secret of this data folder, made with it: what was sealed with it can be read after a restart. */
export function dataFolderSecret(folder: string): string {
  const path = join(folder, SECRET_FILE)
  if (!existsSync(path)) writeFileSync(path, randomBytes(48).toString('base64url'), { mode: 0o600 })
  return readFileSync(path, 'utf8')
}
