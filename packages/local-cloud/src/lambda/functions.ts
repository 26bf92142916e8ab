/** The registry of functions: deployed ones, stored on disk, and the platform's, registered at every start. */
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ACCOUNT_ID } from '../service.ts'
import { unpackCode } from './code.ts'
import { type FunctionConfiguration, formatNow, invalidParameter } from './configuration.ts'
import type { EventInvokeConfig } from './event-invoke-config.ts'
import { functionNotFound } from './names.ts'
import type { LambdaContext } from './platform.ts'
import type { Statement } from './policy.ts'
import { readState, writeState } from './state-file.ts'
import { AwsError } from './wire.ts'

export type PlatformHandler = (event: unknown, context: LambdaContext) => Promise<unknown>

export interface IsolatedFunction {
  handler: string
  timeoutSeconds: number
  memoryMegabytes: number
  unpack(): Promise<string>
}

export interface FunctionRecord {
  configuration: FunctionConfiguration
  policy: Statement[]
  eventInvokeConfig?: EventInvokeConfig
}

const PLATFORM_TIMEOUT_SECONDS = 900
const DEFINITION = 'function.json'

export class Functions {
  readonly #dir: string
  readonly #records = new Map<string, FunctionRecord>()
  readonly #platform = new Map<string, PlatformHandler>()
  readonly #isolated = new Map<
    string,
    { unpack: () => Promise<string>; unpacking?: Promise<string>; codeDir?: string }
  >()

  constructor(dir: string) {
    mkdirSync(dir, { recursive: true })
    this.#dir = realpathSync(dir)
    for (const name of readdirSync(this.#dir)) this.#load(name)
  }

  find(name: string): FunctionRecord | undefined {
    return this.#records.get(name)
  }

  get(name: string): FunctionRecord {
    const record = this.#records.get(name)
    if (!record) throw functionNotFound(name)
    return record
  }

  getMutable(name: string): FunctionRecord {
    const record = this.get(name)
    if (this.#isPlatformFunction(name))
      throw invalidParameter(`${name} is a platform function and cannot be changed through this API`)
    return record
  }

  list(): FunctionRecord[] {
    return [...this.#records.values()].sort((a, b) => (a.configuration.name < b.configuration.name ? -1 : 1))
  }

  getPlatformHandler(name: string): PlatformHandler | undefined {
    return this.#platform.get(name)
  }

  register(name: string, handler: PlatformHandler): void {
    if (this.#records.has(name))
      throw new Error(`Function ${name} already exists: platform functions need unique names`)
    this.#platform.set(name, handler)
    this.#records.set(name, { configuration: createPlatformConfiguration(name), policy: [] })
  }

  registerIsolated(name: string, { handler, timeoutSeconds, memoryMegabytes, unpack }: IsolatedFunction): void {
    if (this.#records.has(name))
      throw new Error(`Function ${name} already exists: platform functions need unique names`)
    this.#isolated.set(name, { unpack })
    const configuration = { ...createPlatformConfiguration(name), handler, timeoutSeconds, memoryMegabytes }
    this.#records.set(name, { configuration, policy: [] })
  }

  async ensureUnpacked(name: string): Promise<void> {
    const isolated = this.#isolated.get(name)
    if (!isolated) return
    isolated.unpacking ??= isolated.unpack()
    isolated.codeDir = await isolated.unpacking
  }

  #isPlatformFunction(name: string): boolean {
    return this.#platform.has(name) || this.#isolated.has(name)
  }

  /** Isolated functions run customers' code, so they get only Lambda's own environment variables. */
  isIsolated(name: string): boolean {
    return this.#isolated.has(name)
  }

  create(record: FunctionRecord, zip: Buffer): void {
    const { name } = record.configuration
    if (this.#records.has(name)) throw new AwsError(409, 'ResourceConflictException', `Function already exist: ${name}`)
    this.addCode(record.configuration, zip)
    this.save(record)
  }

  addCode(configuration: FunctionConfiguration, zip: Buffer): void {
    unpackCode(zip, this.getCodeDir(configuration))
    writeFileSync(this.#getPackagePath(configuration), zip, { mode: 0o600 })
  }

  /** Platform functions are not stored: they are registered at every start. */
  save(record: FunctionRecord): void {
    const { name } = record.configuration
    this.#records.set(name, record)
    if (!this.#isPlatformFunction(name)) writeState(join(this.#dir, name, DEFINITION), record)
  }

  /** The code is removed separately, once no process uses it. */
  remove(name: string): void {
    this.#records.delete(name)
    rmSync(join(this.#dir, name, DEFINITION), { force: true })
  }

  removeCode(configuration: FunctionConfiguration): void {
    rmSync(this.getCodeDir(configuration), { recursive: true, force: true })
    rmSync(this.#getPackagePath(configuration), { force: true })
    const dir = join(this.#dir, configuration.name)
    if (existsSync(dir) && !readdirSync(dir).length) rmSync(dir, { recursive: true })
  }

  getCodeDir(configuration: FunctionConfiguration): string {
    const isolated = this.#isolated.get(configuration.name)
    if (isolated) return realpathSync(isolated.codeDir!)
    return join(this.#dir, configuration.name, configuration.codeId)
  }

  readPackage(configuration: FunctionConfiguration): Buffer {
    return readFileSync(this.#getPackagePath(configuration))
  }

  #getPackagePath(configuration: FunctionConfiguration): string {
    return `${this.getCodeDir(configuration)}.zip`
  }

  #load(name: string): void {
    const dir = join(this.#dir, name)
    const record = readState<FunctionRecord>(join(dir, DEFINITION))
    if (record) {
      const { codeId } = record.configuration
      this.#records.set(name, record)
      this.#removeFiles(dir, new Set([DEFINITION, codeId, `${codeId}.zip`]))
    } else {
      rmSync(dir, { recursive: true, force: true })
    }
  }

  #removeFiles(dir: string, currentFiles: Set<string>): void {
    const staleFiles = readdirSync(dir).filter((file) => !currentFiles.has(file))
    for (const file of staleFiles) rmSync(join(dir, file), { recursive: true, force: true })
  }
}

const createPlatformConfiguration = (name: string): FunctionConfiguration => ({
  name,
  runtime: `nodejs${process.versions.node.split('.')[0]}.x`,
  role: `arn:aws:iam::${ACCOUNT_ID}:role/platform`,
  handler: 'platform.handler',
  description: 'A platform function that runs in the process of the platform',
  timeoutSeconds: PLATFORM_TIMEOUT_SECONDS,
  memoryMegabytes: 1024,
  environment: {},
  code: { sha256: '', sizeBytes: 0 },
  codeId: 'platform',
  lastModified: formatNow(),
})
