import { Follower } from '../../listener-driver/src/follow.ts'
import { type Platform, type ProcessOptions, startPlatform as startProcess } from '../../platform/src/index.ts'
import { type CellValue, type ImportOptions, type ImportResult, Wharf } from '../../sdk/src/index.ts'
import { openFile } from '../../sdk/src/node.ts'
import type { DeliveredEvent, Listener } from './adapt.ts'
import { type Mounted, MountedListener } from './mounted.ts'
import { type Blueprint, describeSpace, type ReadRecord, readRecords, type TestSpace } from './space.ts'

export type TestOptions = ProcessOptions

const SETTLE_MS = 30_000
/** Events of a request that takes long are listed after later ones. */
const OVERLAP_MS = 10_000
const EVENTS_PER_PAGE = 1000

export async function startPlatform(options: TestOptions = {}): Promise<TestPlatform> {
  return new TestPlatform(await startProcess(options))
}

export class TestPlatform implements AsyncDisposable {
  readonly url: string
  readonly environmentId: string
  readonly token: string
  readonly wharf: Wharf
  readonly variables: Readonly<Record<string, string>>
  readonly #platform: Platform
  readonly #listeners = new Set<MountedListener>()
  #follower: Follower | undefined
  #latest = new Date().toISOString()

  constructor(platform: Platform) {
    const { id, secretKey } = platform.environments.find(({ isProd }) => !isProd)!
    this.#platform = platform
    this.url = platform.url
    this.environmentId = id
    this.token = secretKey
    this.wharf = new Wharf({ baseUrl: platform.url, token: secretKey })
    this.variables = {
      WHARF_URL: this.url,
      WHARF_TOKEN: secretKey,
      AGENT_INTERNAL_URL: this.#apiUrl,
      FLATFILE_API_URL: this.#apiUrl,
      FLATFILE_API_KEY: secretKey,
      FLATFILE_BEARER_TOKEN: secretKey,
      FLATFILE_ENVIRONMENT_ID: id,
    }
  }

  async mount(listener: Listener): Promise<Mounted> {
    await this.#follow()
    listener.setVariables({ accessToken: this.token, apiUrl: this.#apiUrl })
    const mounted = new MountedListener(listener, (each) => this.#listeners.delete(each))
    this.#listeners.add(mounted)
    return mounted
  }

  /** @throws the errors of handlers, and Error if something still runs after `timeoutMs` (30,000 by default) */
  async settle({ timeoutMs = SETTLE_MS }: { timeoutMs?: number } = {}): Promise<void> {
    const signal = AbortSignal.timeout(timeoutMs)
    const expired = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error(this.#describeRunning(timeoutMs))))
    })
    await Promise.race([this.#settle(signal), expired])
    const errors = [...this.#listeners].flatMap((each) => each.takeErrors())
    if (errors.length === 1) throw errors[0]
    if (errors.length > 1) throw new AggregateError(errors, errors.map(String).join('\n'))
  }

  async createSpace(...blueprints: Blueprint[]): Promise<TestSpace> {
    const { id } = await this.wharf.spaces.create({ name: 'Test', environmentId: this.environmentId })
    for (const blueprint of blueprints) await this.wharf.workbooks.create({ ...blueprint, spaceId: id })
    return describeSpace(this.wharf, id)
  }

  /** Creates a space that a listener or an agent configures by the job `space:configure`, and settles. */
  async configureSpace(): Promise<TestSpace> {
    const body = { name: 'Test', environmentId: this.environmentId, autoConfigure: true }
    const { id } = await this.wharf.spaces.create(body)
    await this.settle()
    return describeSpace(this.wharf, id)
  }

  async insert(sheetId: string, records: Record<string, CellValue>[]): Promise<void> {
    await this.wharf.records.write(
      sheetId,
      records.map((values) => ({ values })),
    )
    await this.settle()
  }

  async importFile(sheetId: string, path: string, options: Omit<ImportOptions, 'sheetId'> = {}): Promise<ImportResult> {
    const result = await this.wharf.importFile(await openFile(path), { ...options, sheetId })
    await this.settle()
    return result
  }

  read(sheetId: string): Promise<ReadRecord[]> {
    return readRecords(this.wharf, sheetId)
  }

  async stop(): Promise<void> {
    await this.#follower?.close()
    await this.#platform.stop()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  get #apiUrl(): string {
    return `${this.url}/api`
  }

  get #running(): Map<DeliveredEvent, Promise<void>> {
    return new Map([...this.#listeners].flatMap(({ running }) => [...running]))
  }

  get #count(): number {
    return [...this.#listeners].reduce((sum, { count }) => sum + count, 0)
  }

  #deliver(event: DeliveredEvent): void {
    for (const each of this.#listeners) each.deliver(event)
  }

  async #follow(): Promise<void> {
    if (!this.#follower) {
      this.#follower = new Follower({
        api: { url: this.#apiUrl, token: this.token },
        scope: this.environmentId,
        onEvent: (event) => this.#deliver(event as unknown as DeliveredEvent),
      })
      this.#follower.start()
    }
    await this.#follower.ready
  }

  async #settle(signal: AbortSignal): Promise<void> {
    for (let previous = -1; previous !== this.#count && !signal.aborted; ) {
      previous = this.#count
      await Promise.all(this.#running.values())
      await this.#platform.waitUntilIdle()
      if (this.#listeners.size > 0) await this.#deliverListed(signal)
    }
  }

  /** Live events arrive a moment after those that are listed. */
  async #deliverListed(signal: AbortSignal): Promise<void> {
    const since = new Date(Date.parse(this.#latest) - OVERLAP_MS).toISOString()
    const query = { environmentId: this.environmentId, since, includeAcknowledged: true, pageSize: EVENTS_PER_PAGE }
    for await (const event of this.wharf.events.listAll({ ...query, signal })) {
      if (event.createdAt > this.#latest) this.#latest = event.createdAt
      this.#deliver(event)
    }
  }

  #describeRunning(timeoutMs: number): string {
    const events = [...this.#running.keys()].map(({ id, topic }) => `${topic} ${id}`)
    const reason = events.length > 0 ? `handlers still run for ${events.join(', ')}` : 'the platform is still working'
    return `The platform did not settle within ${timeoutMs} ms: ${reason}.`
  }
}
