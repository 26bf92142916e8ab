/** The named schemas, which documents refer to by name. */
import * as z from 'zod'
import * as account from './account.ts'
import * as action from './action.ts'
import * as agent from './agent.ts'
import * as app from './app.ts'
import * as auditEntry from './audit-entry.ts'
import * as auth from './auth.ts'
import * as autobuild from './autobuild.ts'
import * as canvases from './canvases.ts'
import * as clip from './clip.ts'
import * as diff from './diff.ts'
import * as documents from './documents.ts'
import * as environment from './environment.ts'
import * as fields from './fields.ts'
import * as files from './files.ts'
import * as guest from './guest.ts'
import * as invitation from './invitation.ts'
import * as job from './job.ts'
import * as mapping from './mapping.ts'
import * as mappingRule from './mapping-rule.ts'
import * as outcome from './outcome.ts'
import * as program from './program.ts'
import * as records from './records.ts'
import * as retentionPolicy from './retention-policy.ts'
import * as role from './role.ts'
import * as heldRole from './role-assignment.ts'
import * as secret from './secret.ts'
import * as sheet from './sheet.ts'
import * as snapshots from './snapshots.ts'
import * as space from './space.ts'
import * as threads from './threads.ts'
import * as token from './token.ts'
import * as user from './user.ts'
import * as view from './view.ts'
import * as webhooks from './webhooks.ts'
import * as workbook from './workbook.ts'

const modules: object[] = [
  account,
  action,
  agent,
  app,
  auditEntry,
  auth,
  autobuild,
  canvases,
  clip,
  diff,
  documents,
  environment,
  fields,
  files,
  guest,
  heldRole,
  invitation,
  job,
  mapping,
  mappingRule,
  outcome,
  program,
  records,
  retentionPolicy,
  role,
  secret,
  sheet,
  snapshots,
  space,
  threads,
  token,
  user,
  view,
  webhooks,
  workbook,
]

export const shapes: ReadonlyMap<string, z.ZodType> = new Map(
  [
    ...modules
      .flatMap((module) => Object.entries(module))
      .filter((entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType),
    ...mappingRule.listRuleConfigs().map(([, shape]): [string, z.ZodType] => [shape.meta()!.title!, shape]),
  ].reverse(),
)
