/** Every published limit: its value is the constant the code goes by, beside it the error that names it. */
import * as accounts from '../../schemas/accounts.ts'
import * as actions from '../../schemas/actions.ts'
import * as agent from '../../schemas/agent.ts'
import * as apps from '../../schemas/apps.ts'
import * as canvases from '../../schemas/canvases.ts'
import * as clips from '../../schemas/clips.ts'
import * as documents from '../../schemas/documents.ts'
import { bodyBytesOf, type Contract, pathOf } from '../../schemas/endpoint.ts'
import * as environments from '../../schemas/environments.ts'
import type { ErrorCode } from '../../schemas/errors.ts'
import * as events from '../../schemas/events.ts'
import * as files from '../../schemas/files.ts'
import * as guest from '../../schemas/guest.ts'
import * as guests from '../../schemas/guests.ts'
import { endpoints } from '../../schemas/index.ts'
import * as job from '../../schemas/job.ts'
import * as jobs from '../../schemas/jobs.ts'
import * as rules from '../../schemas/mapping-rule.ts'
import * as records from '../../schemas/records.ts'
import * as retention from '../../schemas/retention.ts'
import * as role from '../../schemas/role.ts'
import * as secrets from '../../schemas/secrets.ts'
import * as selection from '../../schemas/selection.ts'
import * as sheet from '../../schemas/sheet.ts'
import {
  BODY_BYTES,
  BUNDLE_BYTES,
  DIRECT_BYTES,
  JSON_LEVELS,
  JSON_VALUES,
  LAMBDA_REQUEST_BYTES,
  LINE_BYTES,
  OBJECT_BYTES,
  PACKAGE_BYTES,
  PROBLEMS_NAMED,
  VALUE_BYTES,
} from '../../schemas/sizes.ts'
import * as threads from '../../schemas/threads.ts'
import * as user from '../../schemas/user.ts'
import * as views from '../../schemas/views.ts'
import * as webhooks from '../../schemas/webhooks.ts'
import * as workbooks from '../../schemas/workbooks.ts'
import { MACHINE_MEGABYTES, SOURCE_CHARACTERS } from '../jobs/mutation/limits.ts'
import { LIST_LIMIT } from '../records/rules/values.ts'

/**
 * How more than the limit is answered: by an error, by a run or a job that fails with the reason, by a message at the cell, by API
 * Gateway before the platform sees the request, or not at all.
 */
type Answer = ErrorCode | 'run' | 'job' | 'message' | 'pages' | 'redirect' | 'gateway' | 'counted'

export interface Limit {
  of: string
  value: number
  unit: 'bytes' | 'count'
  answer: Answer
}

const count = (of: string, value: number, answer: Answer = 'invalid'): Limit => ({ of, value, unit: 'count', answer })
const bytes = (of: string, value: number, answer: Answer = 'too-large'): Limit => ({ of, value, unit: 'bytes', answer })

const nameOf = (endpoint: Contract): string => `\`${endpoint.method} ${pathOf(endpoint).replace('/api/v1', '')}\``

/** The limits of bodies, smallest first: endpoints that do not have the default are named. */
const bodies = (): Limit[] => {
  const taking = (endpoints as readonly Contract[]).filter(({ body }) => body)
  const sizes = [...new Set(taking.map(bodyBytesOf))].sort((a, b) => a - b)
  return sizes.map((size) => {
    const named = taking.filter((endpoint) => bodyBytesOf(endpoint) === size).map(nameOf)
    return bytes(
      size === BODY_BYTES ? 'a body, inflated, of every other endpoint' : `a body, inflated, of ${named.join(', ')}`,
      size,
    )
  })
}

/** By what they are about. */
export const LIMITS: Readonly<Record<string, readonly Limit[]>> = {
  Records: [
    count('records a call', records.RECORDS_PER_CALL),
    count('records of a sheet (`RECORDS_PER_SHEET`)', records.RECORDS_PER_SHEET, 'conflict'),
    count('rows of a table in a file', records.RECORDS_PER_SHEET, 'job'),
    count('`ids` a call', selection.IDS_PER_CALL),
    bytes('a value', VALUE_BYTES, 'invalid'),
    bytes('metadata, and config, of a record', OBJECT_BYTES, 'invalid'),
    count('values of a list', LIST_LIMIT, 'message'),
    bytes('a line of JSON lines', LINE_BYTES),
    count('characters of a query', selection.QUERY_CHARACTERS),
    count('characters of a pattern of `like` that has a `_`', selection.WILDCARD_PATTERN_CHARACTERS),
  ],
  'Workbooks and sheets': [
    count('sheets of a workbook created in one call', workbooks.SHEETS_PER_WORKBOOK),
    count('fields of a sheet', sheet.FIELDS_PER_SHEET),
    bytes("a sheet's configuration", sheet.SHEET_CONFIG_BYTES, 'invalid'),
    count('views of a sheet', views.VIEWS_PER_SHEET, 'conflict'),
    bytes('an action', actions.ACTION_BYTES),
    count('actions a call', actions.ACTIONS_A_CALL),
  ],
  Files: [
    bytes('a file', files.FILE_BYTES),
    count('tables of a file', files.TABLES_PER_FILE, 'job'),
    count('entries of an archive', files.ARCHIVE_ENTRIES, 'job'),
    bytes('an entry of an archive, unpacked', files.ENTRY_BYTES, 'job'),
    bytes('an archive, unpacked', files.ARCHIVE_BYTES, 'job'),
    count('times its size an archive may unpack to', files.UNPACKED_RATIO, 'job'),
    bytes("texts a workbook's cells share", files.SHARED_TEXT_BYTES, 'job'),
    bytes('workbooks within an archive', files.NESTED_BYTES, 'job'),
    count('merged cells filled', files.MERGED_CELLS, 'job'),
    bytes('a value of JSON, a text or a tag of XML', VALUE_BYTES, 'job'),
    count('levels of JSON and XML', files.NESTED_LEVELS, 'job'),
    count('rows of a header detection', files.DETECTED_ROWS),
    bytes('a workbook whose beginning is shown', files.BEGINNING_BYTES, 'unprocessable'),
  ],
  Jobs: [
    bytes('config, input, metadata and outcome of a job together', job.JOB_BYTES),
    count('parts of a split', job.PARTS_A_SPLIT),
    bytes('parts of a split together', job.SPLIT_BYTES),
    count('predecessors of a job', job.PREDECESSORS),
    count('jobs that wait for one', job.SUCCESSORS),
    count('records of a preview', jobs.PREVIEWED_RECORDS),
    count("characters of a mutation's function", SOURCE_CHARACTERS),
    bytes("memory of a mutation's function", MACHINE_MEGABYTES * 1024 * 1024, 'job'),
    count('rules of a mapping program', rules.RULES_PER_PROGRAM),
    count('subprograms within each other', rules.RULE_DEPTH),
    count("characters of a rule's text", rules.RULE_TEXT_LENGTH),
  ],
  'Agents, events and webhooks': [
    count('topics of an agent', agent.TOPICS_PER_AGENT),
    bytes("an agent's bundle", BUNDLE_BYTES),
    bytes("an agent's package, compressed", PACKAGE_BYTES),
    count("seconds of an agent's run", agent.AGENT_SECONDS, 'run'),
    count('seconds a bundle may take to load when it is deployed', agent.CHECK_SECONDS),
    bytes("an agent's memory", agent.AGENT_MEGABYTES * 1024 * 1024, 'run'),
    count('attempts of an event for an agent', agent.AGENT_ATTEMPTS, 'run'),
    count('seconds an event waits for its agent, all attempts together', agent.AGENT_QUEUE_SECONDS, 'run'),
    bytes('an event', events.EVENT_BYTES),
    count('events of a replay', events.REPLAYED_AT_ONCE, 'pages'),
    count('webhooks of an environment', webhooks.WEBHOOKS_PER_ENVIRONMENT, 'conflict'),
  ],
  'People and access': [
    count('guests a call', guests.GUESTS_AT_ONCE),
    count('spaces of a guest', guest.SPACES_PER_GUEST, 'conflict'),
    count('workbooks, or sheets, of a grant', guest.PARTS_PER_GRANT),
    count('roles of a user or agent', role.ROLES_PER_ACTOR, 'conflict'),
    count('tokens of a user', user.TOKENS_PER_USER, 'conflict'),
    count('allowed origins of an environment', environments.ORIGINS_AT_MOST),
    count('entitlements a call', accounts.ENTITLEMENTS),
    count('secrets of a place', secrets.SECRETS_PER_PLACE, 'conflict'),
    count("characters of a secret's name", secrets.NAME_CHARACTERS),
    count("characters of a secret's value", secrets.VALUE_CHARACTERS),
  ],
  'Data clips': [
    count('collaborators of a clip', clips.COLLABORATORS_PER_CLIP),
    count('records of an addition', clips.RECORDS_PER_ADD),
    count('additions of a clip', clips.ADDITIONS_PER_CLIP, 'conflict'),
    count('decisions of a clip', clips.DECISIONS_PER_CLIP, 'too-large'),
  ],
  'What hangs at a space, app or environment': [
    bytes('a document', documents.DOCUMENT_BYTES),
    bytes('a thread', threads.THREAD_BYTES),
    bytes('a message', threads.MESSAGE_BYTES),
    bytes('a canvas, or an area of it', canvases.CANVAS_BYTES),
    count('areas of a canvas', canvases.AREAS_A_CANVAS, 'conflict'),
    bytes('an app', apps.APP_BYTES, 'invalid'),
    bytes('a constraint', apps.CONSTRAINT_BYTES, 'invalid'),
    count('constraints of an app', apps.CONSTRAINTS_PER_APP, 'conflict'),
    count('versions of a constraint', apps.VERSIONS_PER_CONSTRAINT, 'conflict'),
    count('data retention policies of an environment', retention.POLICIES_PER_ENVIRONMENT, 'conflict'),
  ],
  Requests: [
    ...bodies(),
    bytes('a request on AWS', LAMBDA_REQUEST_BYTES, 'gateway'),
    count('objects, lists and their members in a JSON body', JSON_VALUES, 'too-large'),
    count('objects and lists within each other in a JSON body', JSON_LEVELS),
    count('problems an error names', PROBLEMS_NAMED, 'counted'),
    bytes('an answer sent at once', DIRECT_BYTES, 'redirect'),
  ],
}
