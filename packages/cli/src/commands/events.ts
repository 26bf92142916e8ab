import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { createClient, findOnlyEnvironment } from '../client.ts'
import { type OutputOptions, printJsonLine } from '../output.ts'

const POLL_MS = 1000
/** Events of a transaction that takes long are listed after later ones. */
const OVERLAP_MS = 10_000

interface TailArguments extends OutputOptions {
  space?: string
  environment?: string
  topic?: string
}

export function addEvents(program: Command): void {
  const events = program.command('events').description('Events of an environment or a space')
  events
    .command('tail')
    .description('Print events as they happen, until Ctrl-C')
    .option('--space <id>', 'only events of this space')
    .option('--environment <id>', 'environment; needed unless the token is for one')
    .option('--topic <topic>', 'only this topic, such as records:created')
    .option('--json', 'print one JSON object for each event')
    .action(tailEvents)
  program
    .command('logs')
    .description('Print the runs of deployed agents with their logs, newest last')
    .option('--environment <id>', 'environment; needed unless the token is for one')
    .option('-f, --follow', 'go on until Ctrl-C')
    .option('--failed', 'only failed runs')
    .option('--json', 'print one JSON object for each run')
    .action(printLogs)
}

async function tailEvents({ space: spaceId, environment: environmentId, topic, json }: TailArguments): Promise<void> {
  const wharf = createClient()
  const scope = { spaceId, environmentId, topic, includeAcknowledged: true, sortDirection: 'asc' } as const
  const startedAt = new Date().toISOString()
  const seen = new Map<string, string>()
  let latest = startedAt
  for (let isFirst = true; ; isFirst = false) {
    const since = new Date(Date.parse(latest) - OVERLAP_MS).toISOString()
    for await (const event of wharf.events.listAll({ ...scope, since })) {
      const isNew = !seen.has(event.id)
      seen.set(event.id, event.createdAt)
      if (event.createdAt > latest) latest = event.createdAt
      if (!isNew || (isFirst && event.createdAt < startedAt)) continue
      if (json) printJsonLine(event)
      else console.log(`${event.createdAt}  ${event.topic.padEnd(24)} ${JSON.stringify(event.context)}`)
    }
    for (const [id, createdAt] of seen) if (createdAt < since) seen.delete(id)
    if (isFirst) console.error('Waiting for events. Ctrl-C stops.')
    await sleep(POLL_MS)
  }
}

interface LogArguments extends OutputOptions {
  environment?: string
  follow?: boolean
  failed?: boolean
}

async function printLogs({ environment, follow, failed, json }: LogArguments): Promise<void> {
  const wharf = createClient()
  const environmentId = environment ?? (await findOnlyEnvironment(wharf))
  const shown = new Set<string>()
  for (;;) {
    const { data } = await wharf.agents.environmentLogs({
      environmentId,
      pageSize: 100,
      ...(failed ? { success: false } : {}),
    })
    for (const run of data.toReversed()) {
      const key = `${run.eventId} ${run.agentId} ${run.completedAt ?? ''}`
      if (shown.has(key) || run.status === 'running') continue
      shown.add(key)
      if (json) printJsonLine(run)
      else
        console.log(
          `${run.createdAt}  ${run.success ? 'ok    ' : 'failed'}  ${run.agentId}  ${run.topic ?? ''}\n${run.log}`,
        )
    }
    if (!follow) return
    await sleep(POLL_MS)
  }
}
