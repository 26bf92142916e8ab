/** All endpoints, topics and operations, collected from the exports of their modules. */
import * as accounts from './accounts/endpoints.ts'
import * as actions from './actions/endpoints.ts'
import * as actionEvents from './actions/events.ts'
import * as agents from './agents/endpoints.ts'
import * as agentEvents from './agents/events.ts'
import * as agentExports from './agents/exports.ts'
import * as apps from './apps/endpoints.ts'
import * as auth from './auth/endpoints.ts'
import * as canvases from './canvases/endpoints.ts'
import * as canvasEvents from './canvases/events.ts'
import * as cells from './cells/endpoints.ts'
import * as cellEvents from './cells/events.ts'
import * as clips from './clips/endpoints.ts'
import * as clipEvents from './clips/events.ts'
import * as commits from './commits/endpoints.ts'
import * as commitEvents from './commits/events.ts'
import * as cronEvents from './cron/events.ts'
import * as documents from './documents/endpoints.ts'
import * as documentEvents from './documents/events.ts'
import * as environments from './environments/endpoints.ts'
import * as environmentEvents from './environments/events.ts'
import * as events from './events/endpoints.ts'
import * as files from './files/endpoints.ts'
import * as fileEvents from './files/events.ts'
import * as guests from './guests/endpoints.ts'
import * as guestEvents from './guests/events.ts'
import * as health from './health/endpoints.ts'
import * as invitations from './invitations/endpoints.ts'
import * as jobs from './jobs/endpoints.ts'
import * as jobEvents from './jobs/events.ts'
import * as serverOperations from './jobs/operations.ts'
import * as jobPlans from './jobs/plans.ts'
import type { Contract } from './kit/endpoint.ts'
import type { Operation } from './kit/operation.ts'
import type { Topic } from './kit/topic.ts'
import * as live from './live/endpoints.ts'
import * as mcp from './mcp/endpoints.ts'
import * as oauth from './oauth/endpoints.ts'
import * as programs from './programs/endpoints.ts'
import * as programEvents from './programs/events.ts'
import * as quality from './quality/endpoints.ts'
import * as recordColumns from './records/columns.ts'
import * as records from './records/endpoints.ts'
import * as recordEvents from './records/events.ts'
import * as reference from './reference/endpoints.ts'
import * as retention from './retention/endpoints.ts'
import * as secrets from './secrets/endpoints.ts'
import * as secretEvents from './secrets/events.ts'
import * as sheets from './sheets/endpoints.ts'
import * as sheetEvents from './sheets/events.ts'
import * as snapshots from './snapshots/endpoints.ts'
import * as snapshotEvents from './snapshots/events.ts'
import * as spaces from './spaces/endpoints.ts'
import * as spaceEvents from './spaces/events.ts'
import * as spacePresence from './spaces/presence.ts'
import * as streams from './streams/endpoints.ts'
import * as subscriptions from './subscriptions/endpoints.ts'
import * as assistant from './threads/assistant-endpoints.ts'
import * as recordComments from './threads/comments.ts'
import * as threads from './threads/endpoints.ts'
import * as threadEvents from './threads/events.ts'
import * as users from './users/endpoints.ts'
import * as values from './values/endpoints.ts'
import * as views from './views/endpoints.ts'
import * as webhooks from './webhooks/endpoints.ts'
import * as workbooks from './workbooks/endpoints.ts'
import * as workbookEvents from './workbooks/events.ts'

const endpointModules: object[] = [
  accounts,
  actions,
  agents,
  agentExports,
  apps,
  auth,
  canvases,
  cells,
  clips,
  commits,
  documents,
  environments,
  events,
  files,
  guests,
  health,
  invitations,
  jobs,
  jobPlans,
  live,
  mcp,
  oauth,
  programs,
  quality,
  recordColumns,
  records,
  reference,
  retention,
  secrets,
  sheets,
  snapshots,
  spacePresence,
  spaces,
  streams,
  subscriptions,
  assistant,
  recordComments,
  threads,
  users,
  values,
  views,
  webhooks,
  workbooks,
]
const topicModules: object[] = [
  actionEvents,
  agentEvents,
  canvasEvents,
  cellEvents,
  clipEvents,
  commitEvents,
  cronEvents,
  documentEvents,
  environmentEvents,
  fileEvents,
  guestEvents,
  jobEvents,
  programEvents,
  recordEvents,
  secretEvents,
  sheetEvents,
  snapshotEvents,
  spaceEvents,
  threadEvents,
  workbookEvents,
]

const listValues = (modules: readonly object[]): unknown[] => modules.flatMap((module) => Object.values(module))

const hasKeys = (value: unknown, ...keys: string[]): boolean =>
  typeof value === 'object' && value !== null && keys.every((key) => key in value)

export const endpoints: Contract[] = listValues(endpointModules)
  .filter((value): value is Contract => hasKeys(value, 'id', 'policy', 'path'))
  .toSorted((a, b) => (a.id < b.id ? -1 : 1))
export const topics: Topic[] = listValues(topicModules)
  .filter((value): value is Topic => hasKeys(value, 'topic', 'payload', 'context'))
  .toSorted((a, b) => (a.topic < b.topic ? -1 : 1))
export const operations: Operation[] = listValues([serverOperations]).filter((value): value is Operation =>
  hasKeys(value, 'name', 'summary', 'config'),
)
