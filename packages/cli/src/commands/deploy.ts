import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type Command, InvalidArgumentError } from 'commander'
import { listTopics } from '../../../listener/src/match.ts'
import type { Body, Item, Wharf } from '../../../sdk/src/index.ts'
import { createClient, findOnlyEnvironment } from '../client.ts'
import { UsageError } from '../exit-codes.ts'
import { type Bundle, bundleListener, findListener } from '../listener/bundle.ts'
import { ListenerProcess, NotLoaded } from '../listener/run.ts'
import { type OutputOptions, printJson } from '../output.ts'
import { loadEnvironmentFile } from './dev.ts'

type Agent = Item<'agents.list'>
type Settings = Pick<Body<'agents.create'>, 'namespace' | 'recordsPerEvent' | 'ignoreOwnCommits'>

interface DeployArguments extends OutputOptions, Settings {
  slug?: string
  environment?: string
  yes?: boolean
}

/** AWS limits a request to 6 MB. */
const MAX_REQUEST_BYTES = 4_500_000
const POLL_MS = 500
const MAX_POLLS = 240

export function addDeploy(program: Command): void {
  program
    .command('deploy')
    .description('Deploy a listener as an agent, or as a new version of the agent with its slug')
    .argument('[file]', 'source of the listener; src/listener.ts by default')
    .option('--slug <slug>', 'slug of the agent; the name in package.json by default')
    .option('--environment <id>', 'environment; needed unless the token is for one')
    .option('--namespace <name>', 'only events of spaces with this namespace, such as space:people')
    .option(
      '--records-per-event <number>',
      'call the agent for each part of a commit with at most this number of records',
      parseCount,
    )
    .option('--ignore-own-commits', 'do not call the agent for what it writes')
    .option('--yes', 'replace an agent that has other topics without asking')
    .option('--json', 'print JSON')
    .action(deploy)
}

function parseCount(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

async function deploy(name: string | undefined, options: DeployArguments): Promise<void> {
  const { slug = findSlug(), environment, yes, json } = options
  const file = findListener(name)
  loadEnvironmentFile()
  const wharf = createClient()
  const environmentId = environment ?? (await findOnlyEnvironment(wharf))
  const { bundle, topics } = await prepare(file)
  const existing = await findAgent(wharf, environmentId, slug)
  if (existing && !yes) await confirmTopics(existing, topics)
  const body = { slug, topics, ...readSettings(existing, options) }
  const content = await sendBundle(wharf, environmentId, bundle)
  const deployed = await wharf.agents.create({ ...body, ...content }, { environmentId })
  const { id, status } = await waitUntilActive(wharf, deployed)
  const [version] = await wharf.agents.versions(id)
  if (json) return printJson({ id, slug, environmentId, version: version!.version, status, topics, isNew: !existing })
  console.error(`${existing ? 'Updated' : 'Created'} the agent ${slug}, version ${version!.version}, for:`)
  console.log(topics.join('\n'))
}

async function prepare(file: string): Promise<{ bundle: Bundle; topics: string[] }> {
  const bundle = await bundleListener(file)
  try {
    const [listener, { topics, isFunction }] = await ListenerProcess.start(bundle, file, {})
    await listener.stop()
    const exact = resolveTopics(topics)
    if (exact.length === 0) throw new UsageError('The listener handles no topic.')
    return { bundle: isFunction ? await bundleListener(file, isFunction) : bundle, topics: exact }
  } catch (error) {
    if (error instanceof NotLoaded) throw new UsageError(`The listener does not load:\n${error.message}`)
    throw error
  }
}

function resolveTopics(patterns: readonly string[]): string[] {
  try {
    return [...new Set(patterns.flatMap(listTopics))].sort()
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function findSlug(): string {
  try {
    const { name } = JSON.parse(readFileSync('package.json', 'utf8')) as { name?: string }
    if (name) return name.replace(/^@[^/]+\//, '')
  } catch {}
  return basename(process.cwd())
}

async function findAgent(wharf: Wharf, environmentId: string, slug: string): Promise<Agent | undefined> {
  for await (const agent of wharf.agents.listAll({ environmentId, search: slug })) if (agent.slug === slug) return agent
  return undefined
}

/** A deployment replaces all settings, so those that are not given stay. */
const readSettings = (existing: Agent | undefined, given: Settings): Settings => ({
  namespace: given.namespace ?? existing?.namespace,
  recordsPerEvent: given.recordsPerEvent ?? existing?.recordsPerEvent,
  ignoreOwnCommits: given.ignoreOwnCommits ?? existing?.ignoreOwnCommits,
})

async function confirmTopics(existing: Agent, topics: readonly string[]): Promise<void> {
  const added = topics.filter((topic) => !existing.topics.includes(topic))
  const removed = existing.topics.filter((topic) => !topics.includes(topic))
  if (added.length + removed.length === 0) return
  const changes = [...added.map((topic) => `+ ${topic}`), ...removed.map((topic) => `- ${topic}`)].join('\n')
  const text = `The agent ${existing.slug} has other topics:\n${changes}`
  if (!process.stdin.isTTY) throw new UsageError(`${text}\nPass --yes to replace it.`)
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const reply = await lines.question(`${text}\nReplace it? (y/N) `).finally(() => lines.close())
  if (!/^y(es)?$/i.test(reply.trim())) throw new UsageError('Nothing was deployed.')
}

async function sendBundle(wharf: Wharf, environmentId: string, bundle: Bundle): Promise<Bundle | { uploadId: string }> {
  const bytes = gzipSync(JSON.stringify(bundle))
  if (bytes.length <= MAX_REQUEST_BYTES) return bundle
  const { uploadId, url, method } = await wharf.agents.createUpload({ environmentId })
  const response = await fetch(url, { method, body: bytes })
  if (!response.ok) throw new Error(`The bundle was not stored: ${response.status} ${await response.text()}`)
  return { uploadId }
}

async function waitUntilActive(wharf: Wharf, agent: Agent): Promise<Agent> {
  let current = agent
  for (let poll = 0; current.status !== 'active'; poll++) {
    if (poll === MAX_POLLS) throw new UsageError(`The agent ${agent.slug} is still being deployed. Deploy it again.`)
    await sleep(POLL_MS)
    current = await wharf.agents.get(agent.id)
  }
  return current
}
