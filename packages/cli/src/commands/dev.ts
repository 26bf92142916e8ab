import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { styleText } from 'node:util'
import type { Command } from 'commander'
import type { LiveEvent } from '../../../listener-driver/src/connection.ts'
import { Follower } from '../../../listener-driver/src/follow.ts'
import type { Wharf } from '../../../sdk/src/index.ts'
import { createClient, findOnlyEnvironment } from '../client.ts'
import { type Bundle, findListener, watchListener } from '../listener/bundle.ts'
import type { Outcome } from '../listener/messages.ts'
import { ListenerProcess, NotLoaded } from '../listener/run.ts'
import { type OutputOptions, printJsonLine } from '../output.ts'
import { readSettings } from '../settings.ts'

interface DevArguments extends OutputOptions {
  space?: string
  environment?: string
}

const MAX_HANDLED = 10_000

export function addDev(program: Command): void {
  program
    .command('dev')
    .description('Run a listener on this machine, and reload it when its source changes')
    .argument('[file]', 'source of the listener; src/listener.ts by default')
    .option('--space <id>', 'only events of this space')
    .option('--environment <id>', 'environment; needed unless the token is for one')
    .option('--json', 'print one JSON object for each handler that ran')
    .action(runListener)
}

async function runListener(name: string | undefined, { space, environment, json }: DevArguments): Promise<void> {
  const file = findListener(name)
  loadEnvironmentFile()
  const { url, token } = readSettings()
  const wharf = createClient()
  const scope = space ?? environment ?? (await findOnlyEnvironment(wharf))
  const apiUrl = `${url.replace(/\/+$/, '').replace(/\/api(\/v1)?$/, '')}/api`
  const reloader = createReloader(file, {
    AGENT_INTERNAL_URL: apiUrl,
    FLATFILE_API_URL: apiUrl,
    FLATFILE_BEARER_TOKEN: token,
    FLATFILE_API_KEY: token,
    ...(space ? {} : { FLATFILE_ENVIRONMENT_ID: scope }),
  })
  const handled = new Set<string>()
  const running = new Set<Promise<void>>()
  const onEvent = (event: LiveEvent) => {
    const { precedingEventId } = event.context as { precedingEventId?: string }
    if (event.topic === 'commit:created' && precedingEventId && handled.has(precedingEventId)) return
    handled.add(event.id)
    if (handled.size > MAX_HANDLED) handled.delete(handled.values().next().value!)
    const run: Promise<void> = reloader
      .handle(event)
      .then((outcomes) => printOutcomes(event, outcomes, { json }))
      .finally(() => running.delete(run))
    running.add(run)
  }
  const follower = new Follower({
    ...{ scope, api: { url: apiUrl, token }, onEvent },
    onStatus: ({ state, error, retryMs }) => {
      if (state === 'waiting') note(`Connecting again in ${Math.ceil((retryMs ?? 0) / 1000)} s: ${error?.message}`)
    },
  })
  const watcher = await watchListener(file, {
    onBundle: (bundle) => void reloader.reload(bundle),
    onProblems: (text) => note(`The source cannot be bundled, so nothing changes:\n${text}`),
  })
  follower.start()
  await follower.ready
  await warnOfAgents(wharf, space ? (await wharf.spaces.get(space)).environmentId : scope)
  note(`Following ${scope}. Ctrl-C stops.`)
  await untilInterrupted()
  await Promise.all([watcher.dispose(), follower.close()])
  await reloader.stop()
  await Promise.allSettled(running)
}

/** Variables that are set win. */
export function loadEnvironmentFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env')
}

async function warnOfAgents(wharf: Wharf, environmentId: string): Promise<void> {
  const { data } = await wharf.agents.list({ environmentId, pageSize: 100 })
  const active = data.filter(({ isActive, isSystem }) => isActive && !isSystem).map(({ slug }) => slug)
  if (active.length > 0) note(`Deployed agents handle the same events, too: ${active.join(', ')}`)
}

const note = (text: string): void => console.error(text)

const untilInterrupted = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })

/** Events wait for the first version that loads. A version that does not load leaves the one before in place. */
function createReloader(file: string, variables: Record<string, string>) {
  let first: (loaded: ListenerProcess) => void = () => {}
  let current = new Promise<ListenerProcess>((resolve) => {
    first = resolve
  })
  let newest: ListenerProcess | undefined
  let loading = Promise.resolve()
  let latestBundle: Bundle | undefined
  const load = async (bundle: Bundle) => {
    try {
      const [loaded, { topics }] = await ListenerProcess.start(bundle, file, variables)
      const previous = newest
      newest = loaded
      first(loaded)
      current = Promise.resolve(loaded)
      note(`${previous ? 'Reloaded' : 'Loaded'} ${relative(process.cwd(), file)}: ${topics.join(' ')}`)
      await previous?.stop()
    } catch (error) {
      if (!(error instanceof NotLoaded)) throw error
      note(`The listener does not load, so nothing changes:\n${error.message}`)
    }
  }
  return {
    reload(bundle: Bundle): Promise<void> {
      latestBundle = bundle
      loading = loading.then(() => (bundle === latestBundle ? load(bundle) : undefined))
      return loading
    },
    async handle(event: { id: string }): Promise<Outcome[]> {
      const listener = await current
      if (!listener.isRunning && listener === newest) {
        note('The process of the listener ended. Starting it again.')
        loading = loading.then(() => (listener === newest ? load(latestBundle!) : undefined))
        await loading
      }
      return (await current).handle(event)
    },
    async stop(): Promise<void> {
      await loading
      await newest?.stop()
    },
  }
}

function printOutcomes(event: LiveEvent, outcomes: readonly Outcome[], { json }: OutputOptions): void {
  const time = new Date()
  for (const outcome of outcomes) {
    const { handler, location, milliseconds, error } = outcome
    if (json) {
      printJsonLine({ time: time.toISOString(), eventId: event.id, topic: event.topic, ...outcome })
      continue
    }
    const status = error ? styleText('red', 'failed') : styleText('green', 'ok')
    const named = location ? `${handler} (${location})` : handler
    console.log(`${time.toTimeString().slice(0, 8)}  ${event.topic.padEnd(18)} ${named}  ${milliseconds} ms  ${status}`)
    if (error) console.error(error)
  }
}
