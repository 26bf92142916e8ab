/** The named schemas, which documents refer to by name. */
import * as z from 'zod'
import * as assignments from './access/assignments.ts'
import * as roles from './access/roles.ts'
import * as accounts from './accounts/shape.ts'
import * as actions from './actions/shape.ts'
import * as agents from './agents/shape.ts'
import * as apps from './apps/shape.ts'
import * as auditEntries from './auth/audit-entry.ts'
import * as auth from './auth/shape.ts'
import * as tokens from './auth/token.ts'
import * as canvases from './canvases/shape.ts'
import * as clips from './clips/shape.ts'
import * as documents from './documents/shape.ts'
import * as autobuilds from './environments/autobuild.ts'
import * as environments from './environments/shape.ts'
import * as events from './events/shape.ts'
import * as files from './files/shape.ts'
import * as guests from './guests/shape.ts'
import * as invitations from './invitations/shape.ts'
import * as outcomes from './jobs/outcome.ts'
import * as previews from './jobs/preview.ts'
import * as jobs from './jobs/shape.ts'
import * as plans from './programs/plan.ts'
import * as readings from './programs/readings.ts'
import * as rules from './programs/rules.ts'
import * as programs from './programs/shape.ts'
import * as quality from './quality/shape.ts'
import * as differences from './records/diff.ts'
import * as records from './records/shape.ts'
import * as retention from './retention/shape.ts'
import * as secrets from './secrets/shape.ts'
import * as fields from './sheets/fields.ts'
import * as sheets from './sheets/shape.ts'
import * as snapshots from './snapshots/shape.ts'
import * as spaces from './spaces/shape.ts'
import * as assistant from './threads/assistant.ts'
import * as threads from './threads/shape.ts'
import * as users from './users/shape.ts'
import * as views from './views/shape.ts'
import * as cloudEvents from './webhooks/cloud-event.ts'
import * as webhooks from './webhooks/shape.ts'
import * as workbooks from './workbooks/shape.ts'

const modules: object[] = [
  accounts,
  actions,
  agents,
  apps,
  assistant,
  auditEntries,
  auth,
  autobuilds,
  canvases,
  clips,
  differences,
  documents,
  environments,
  events,
  fields,
  files,
  guests,
  assignments,
  invitations,
  jobs,
  plans,
  readings,
  rules,
  outcomes,
  previews,
  programs,
  quality,
  records,
  retention,
  roles,
  secrets,
  sheets,
  snapshots,
  spaces,
  threads,
  tokens,
  users,
  views,
  cloudEvents,
  webhooks,
  workbooks,
]

export const shapes: ReadonlyMap<string, z.ZodType> = new Map(
  [
    ...modules
      .flatMap((module) => Object.entries(module))
      .filter((entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType),
    ...rules.listRuleConfigs().map(([, shape]): [string, z.ZodType] => [shape.meta()!.title!, shape]),
  ].reverse(),
)
