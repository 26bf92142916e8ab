/** All endpoints, topics and operations, collected from the exports of their modules. */
import * as accounts from './accounts.ts'
import * as actions from './actions.ts'
import * as agentExports from './agent-exports.ts'
import * as agents from './agents.ts'
import * as apps from './apps.ts'
import * as auth from './auth.ts'
import * as canvases from './canvases.ts'
import * as cells from './cells.ts'
import * as clips from './clips.ts'
import * as commits from './commits.ts'
import * as cron from './cron.ts'
import * as documents from './documents.ts'
import type { Contract } from './endpoint.ts'
import * as environments from './environments.ts'
import * as events from './events.ts'
import * as files from './files.ts'
import * as guests from './guests.ts'
import * as health from './health.ts'
import * as invitations from './invitations.ts'
import * as jobEvents from './job-events.ts'
import * as jobPlans from './job-plans.ts'
import * as jobs from './jobs.ts'
import * as live from './long-poll.ts'
import type { Operation } from './operation.ts'
import * as serverOperations from './operations.ts'
import * as programs from './programs.ts'
import * as streams from './record-streams.ts'
import * as records from './records.ts'
import * as reference from './reference.ts'
import * as retention from './retention.ts'
import * as secrets from './secrets.ts'
import * as sheets from './sheets.ts'
import * as snapshots from './snapshots.ts'
import * as spaces from './spaces.ts'
import * as subscriptions from './subscriptions.ts'
import * as threads from './threads.ts'
import type { Topic } from './topic.ts'
import * as users from './users.ts'
import * as views from './views.ts'
import * as webhooks from './webhooks.ts'
import * as workbooks from './workbooks.ts'

const domains = {
  accounts,
  actions,
  agentExports,
  agents,
  apps,
  auth,
  canvases,
  cells,
  clips,
  commits,
  cron,
  documents,
  environments,
  events,
  files,
  guests,
  health,
  invitations,
  jobEvents,
  jobPlans,
  jobs,
  live,
  programs,
  records,
  reference,
  retention,
  secrets,
  sheets,
  snapshots,
  spaces,
  streams,
  subscriptions,
  threads,
  users,
  views,
  webhooks,
  workbooks,
}
const declarations: unknown[] = Object.values(domains).flatMap((domain) => Object.values(domain))

const hasKeys = (value: unknown, ...keys: string[]): boolean =>
  typeof value === 'object' && value !== null && keys.every((key) => key in value)

export const endpoints: Contract[] = declarations
  .filter((value): value is Contract => hasKeys(value, 'id', 'policy', 'path'))
  .toSorted((a, b) => (a.id < b.id ? -1 : 1))
export const topics: Topic[] = declarations
  .filter((value): value is Topic => hasKeys(value, 'topic', 'payload', 'context'))
  .toSorted((a, b) => (a.topic < b.topic ? -1 : 1))
export const operations: Operation[] = (Object.values(serverOperations) as unknown[]).filter(
  (value): value is Operation => hasKeys(value, 'name', 'summary', 'config'),
)
