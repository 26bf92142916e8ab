/**
 * The functions there are: those made at run time, kept on disk with their code and policy, and those of the platform,
 * which live in this process and are registered anew at every start. Runs none of them.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ACCOUNT_ID } from '../service.ts'
import { unpackCode } from './code.ts'
import { type FunctionConfiguration, invalidParameter } from './configuration.ts'
import type { EventInvokeConfig } from './event-invoke-config.ts'
import { functionNotFound } from './names.ts'
import type { LambdaContext } from './platform.ts'
import type { Statement } from './policy.ts'
import { readState, writeState } from './state-file.ts'
import { AwsError } from './wire.ts'

export type PlatformHandler = (event: unknown, context: LambdaContext) => Promise<unknown>

/** A function of the platform that does not share its process. */
export interface IsolatedFunction {
  /** As in Lambda, relative to its code. */
  handler: string
  timeoutSeconds: number
  memoryMegabytes: number
  /** Makes the folder of its code, and returns its absolute path. */
  unpack(): Promise<string>
}

export interface FunctionRecord {
  configuration: FunctionConfiguration
  tags: Record<string, string>
  policy: Statement[]
  eventInvokeConfig?: EventInvokeConfig
  reservedConcurrency?: number
}

const PLATFORM_TIMEOUT_SECONDS = 900
const DEFINITION = 'function.json'

export class Functions {
  readonly #dir: string
  readonly #records = new Map<string, FunctionRecord>()
  readonly #platform = new Map<string, PlatformHandler>()
  /** Of the isolated functions of the platform: the folder with the code, from their first call on. */
  readonly #isolated = new Map<
    string,
    { unpack: () => Promise<string>; unpacking?: Promise<string>; codeDir?: string }
  >()

  /** Opens the folder of functions and forgets what an interrupted create, update or delete left in it. */
  constructor(dir: string) {
    mkdirSync(dir, { recursive: true })
    this.#dir = realpathSync(dir)
    for (const name of readdirSync(this.#dir)) this.#load(name)
  }

  find(name: string): FunctionRecord | undefined {
    return this.#records.get(name)
  }

  /** The function of that name. Throws ResourceNotFoundException. */
  get(name: string): FunctionRecord {
    const record = this.#records.get(name)
    if (!record) throw functionNotFound(name)
    return record
  }

  /** The function of that name, if it may be changed. Throws for a function of the platform. */
  getMutable(name: string): FunctionRecord {
    const record = this.get(name)
    if (this.#isOfPlatform(name))
      throw invalidParameter(`${name} is a function of the platform and changes with it only`)
    return record
  }

  list(): FunctionRecord[] {
    return [...this.#records.values()].sort((a, b) => (a.configuration.name < b.configuration.name ? -1 : 1))
  }

  platformHandler(name: string): PlatformHandler | undefined {
    return this.#platform.get(name)
  }

  /** Makes `handler` the function of that name. A name is registered once and is not one of a run-time function. */
  register(name: string, handler: PlatformHandler): void {
    if (this.#records.has(name))
      throw new Error(`There is a function ${name} already: platform names must be their own`)
    this.#platform.set(name, handler)
    this.#records.set(name, { configuration: platformConfiguration(name), tags: {}, policy: [] })
  }

  registerIsolated(name: string, { handler, timeoutSeconds, memoryMegabytes, unpack }: IsolatedFunction): void {
    if (this.#records.has(name))
      throw new Error(`There is a function ${name} already: platform names must be their own`)
    this.#isolated.set(name, { unpack })
    const configuration = { ...platformConfiguration(name), handler, timeoutSeconds, memoryMegabytes }
    this.#records.set(name, { configuration, tags: {}, policy: [] })
  }

  /** Resolves when the code of an isolated function is in its folder; at once for every other function. */
  async unpacked(name: string): Promise<void> {
    const isolated = this.#isolated.get(name)
    if (!isolated) return
    isolated.unpacking ??= isolated.unpack()
    isolated.codeDir = await isolated.unpacking
  }

  #isOfPlatform(name: string): boolean {
    return this.#platform.has(name) || this.#isolated.has(name)
  }

  /** Customers' code runs there: it gets no variables but those that Lambda sets. */
  isIsolated(name: string): boolean {
    return this.#isolated.has(name)
  }

  create(record: FunctionRecord, zip: Buffer): void {
    const { name } = record.configuration
    if (this.#records.has(name)) throw new AwsError(409, 'ResourceConflictException', `Function already exist: ${name}`)
    this.addCode(record.configuration, zip)
    this.save(record)
  }

  /** Unpacks a package as the code of `configuration`, beside the code there is. */
  addCode(configuration: FunctionConfiguration, zip: Buffer): void {
    unpackCode(zip, this.codeDir(configuration))
    writeFileSync(this.#packagePath(configuration), zip, { mode: 0o600 })
  }

  /** Keeps a new or changed record: on disk, unless it is the platform's, which says it again at every start. */
  save(record: FunctionRecord): void {
    const { name } = record.configuration
    this.#records.set(name, record)
    if (!this.#isOfPlatform(name)) writeState(join(this.#dir, name, DEFINITION), record)
  }

  /** Forgets a function; `removeFiles` then removes its code, once nothing runs it. */
  remove(name: string): void {
    this.#records.delete(name)
    rmSync(join(this.#dir, name, DEFINITION), { force: true })
  }

  /** Removes one deployment's code, and the function's folder if that is all it held. */
  removeCode(configuration: FunctionConfiguration): void {
    rmSync(this.codeDir(configuration), { recursive: true, force: true })
    rmSync(this.#packagePath(configuration), { force: true })
    const dir = join(this.#dir, configuration.name)
    if (existsSync(dir) && !readdirSync(dir).length) rmSync(dir, { recursive: true })
  }

  codeDir(configuration: FunctionConfiguration): string {
    const isolated = this.#isolated.get(configuration.name)
    if (isolated) return realpathSync(isolated.codeDir!)
    return join(this.#dir, configuration.name, configuration.codeId)
  }

  /** The package as it was uploaded. */
  readPackage(configuration: FunctionConfiguration): Buffer {
    return readFileSync(this.#packagePath(configuration))
  }

  #packagePath(configuration: FunctionConfiguration): string {
    return `${this.codeDir(configuration)}.zip`
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

  #removeFiles(dir: string, keep: Set<string>): void {
    const stale = readdirSync(dir).filter((file) => !keep.has(file))
    for (const file of stale) rmSync(join(dir, file), { recursive: true, force: true })
  }
}

const platformConfiguration = (name: string): FunctionConfiguration => ({
  name,
  runtime: `nodejs${process.versions.node.split('.')[0]}.x`,
  role: `arn:aws:iam::${ACCOUNT_ID}:role/platform`,
  handler: 'platform.handler',
  description: 'A function of the platform, run in its process',
  timeoutSeconds: PLATFORM_TIMEOUT_SECONDS,
  memoryMegabytes: 1024,
  environment: {},
  code: { sha256: '', sizeBytes: 0 },
  codeId: 'platform',
  revisionId: 'platform',
  lastModified: new Date().toISOString().replace('Z', '+0000'),
})
