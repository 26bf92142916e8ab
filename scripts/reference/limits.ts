/** All published limits, with the constants the code uses and what happens when they are exceeded. */

import { MAX_MACHINE_MEGABYTES, MAX_SOURCE_CHARACTERS } from '../../lib/jobs/mutation/limits.ts'
import { MAX_VALUES_PER_LIST } from '../../lib/records/fields/values.ts'
import * as accounts from '../../schemas/accounts.ts'
import * as actions from '../../schemas/actions.ts'
import * as agent from '../../schemas/agent.ts'
import * as apps from '../../schemas/apps.ts'
import * as canvases from '../../schemas/canvases.ts'
import * as clips from '../../schemas/clips.ts'
import * as documents from '../../schemas/documents.ts'
import { buildPath, type Contract, getMaxBodyBytes } from '../../schemas/endpoint.ts'
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
import * as selection from '../../schemas/record-selection.ts'
import * as records from '../../schemas/records.ts'
import * as retention from '../../schemas/retention.ts'
import * as role from '../../schemas/role.ts'
import * as secrets from '../../schemas/secrets.ts'
import * as sheet from '../../schemas/sheet.ts'
import {
  BODY_BYTES,
  BUNDLE_BYTES,
  INLINE_RESPONSE_BYTES,
  LAMBDA_REQUEST_BYTES,
  LINE_BYTES,
  MAX_JSON_DEPTH,
  MAX_JSON_VALUES,
  MAX_PROBLEMS_PER_ERROR,
  METADATA_BYTES,
  PACKAGE_BYTES,
  VALUE_BYTES,
} from '../../schemas/sizes.ts'
import * as threads from '../../schemas/threads.ts'
import * as user from '../../schemas/user.ts'
import * as views from '../../schemas/views.ts'
import * as webhooks from '../../schemas/webhooks.ts'
import * as workbooks from '../../schemas/workbooks.ts'

type Consequence = ErrorCode | 'run' | 'job' | 'message' | 'pages' | 'redirect' | 'gateway' | 'counted'

export interface Limit {
  label: string
  value: number
  unit: 'bytes' | 'count'
  consequence: Consequence
}

const countLimit = (label: string, value: number, consequence: Consequence = 'invalid'): Limit => ({
  label,
  value,
  unit: 'count',
  consequence,
})
const byteLimit = (label: string, value: number, consequence: Consequence = 'too-large'): Limit => ({
  label,
  value,
  unit: 'bytes',
  consequence,
})

const formatEndpoint = (endpoint: Contract): string =>
  `\`${endpoint.method} ${buildPath(endpoint).replace('/api/v1', '')}\``

const buildBodyLimits = (): Limit[] => {
  const withBody = (endpoints as readonly Contract[]).filter(({ body }) => body)
  const sizes = [...new Set(withBody.map(getMaxBodyBytes))].sort((a, b) => a - b)
  return sizes.map((size) => {
    const endpointNames = withBody.filter((endpoint) => getMaxBodyBytes(endpoint) === size).map(formatEndpoint)
    return byteLimit(
      size === BODY_BYTES
        ? 'decompressed body of every other endpoint'
        : `decompressed body of ${endpointNames.join(', ')}`,
      size,
    )
  })
}

export const LIMITS: Readonly<Record<string, readonly Limit[]>> = {
  Records: [
    countLimit('records per call', records.MAX_RECORDS_PER_CALL),
    countLimit('records per sheet (`RECORDS_PER_SHEET`)', records.MAX_RECORDS_PER_SHEET, 'conflict'),
    countLimit('rows per table in a file', records.MAX_RECORDS_PER_SHEET, 'job'),
    countLimit('`ids` a call', selection.MAX_IDS_PER_CALL),
    byteLimit('a value', VALUE_BYTES, 'invalid'),
    byteLimit('metadata and config of a record, each', METADATA_BYTES, 'invalid'),
    countLimit('values per list', MAX_VALUES_PER_LIST, 'message'),
    byteLimit('a line of JSON Lines', LINE_BYTES),
    countLimit('characters per query', selection.MAX_QUERY_LENGTH),
    countLimit('characters per `like` pattern that contains `_`', selection.MAX_WILDCARD_PATTERN_LENGTH),
  ],
  'Workbooks and sheets': [
    countLimit('sheets per workbook created in one call', workbooks.MAX_SHEETS_PER_WORKBOOK),
    countLimit('fields per sheet', sheet.MAX_FIELDS_PER_SHEET),
    byteLimit("a sheet's configuration", sheet.MAX_SHEET_CONFIG_BYTES, 'invalid'),
    countLimit('views per sheet', views.MAX_VIEWS_PER_SHEET, 'conflict'),
    byteLimit('an action', actions.MAX_ACTION_BYTES),
    countLimit('actions per call', actions.MAX_ACTIONS_PER_CALL),
  ],
  Files: [
    byteLimit('a file', files.MAX_FILE_BYTES),
    countLimit('tables per file', files.MAX_TABLES_PER_FILE, 'job'),
    countLimit('entries per archive', files.MAX_ENTRIES_PER_ARCHIVE, 'job'),
    byteLimit('an unpacked archive entry', files.MAX_ENTRY_BYTES, 'job'),
    byteLimit('an unpacked archive', files.MAX_ARCHIVE_BYTES, 'job'),
    countLimit('compression ratio of an archive', files.MAX_COMPRESSION_RATIO, 'job'),
    byteLimit('shared strings of a workbook', files.MAX_SHARED_TEXT_BYTES, 'job'),
    byteLimit('nested workbooks in an archive', files.MAX_NESTED_WORKBOOK_BYTES, 'job'),
    countLimit('filled merged cells', files.MAX_MERGED_CELLS, 'job'),
    byteLimit('a JSON value, or an XML text or tag', VALUE_BYTES, 'job'),
    countLimit('nesting levels of JSON and XML', files.MAX_NESTING_LEVELS, 'job'),
    countLimit('rows checked for a header', files.MAX_DETECTED_ROWS),
    byteLimit('a workbook that can be previewed', files.MAX_PREVIEW_BYTES, 'unprocessable'),
  ],
  Jobs: [
    byteLimit('config, input, metadata and outcome of a job, combined', job.MAX_JOB_BYTES),
    countLimit('parts per split', job.MAX_PARTS_PER_SPLIT),
    byteLimit('parts of a split, combined', job.MAX_SPLIT_BYTES),
    countLimit('predecessors per job', job.MAX_PREDECESSORS_PER_JOB),
    countLimit('successors per job', job.MAX_SUCCESSORS_PER_JOB),
    countLimit('records per preview', jobs.MAX_RECORDS_PER_PREVIEW),
    countLimit('characters per mutation function', MAX_SOURCE_CHARACTERS),
    byteLimit('memory of a mutation function', MAX_MACHINE_MEGABYTES * 1024 * 1024, 'job'),
    countLimit('rules per mapping program', rules.MAX_RULES_PER_PROGRAM),
    countLimit('nesting levels of subprograms', rules.MAX_SUBPROGRAM_DEPTH),
    countLimit('characters per rule text', rules.MAX_RULE_TEXT_LENGTH),
  ],
  'Agents, events and webhooks': [
    countLimit('topics per agent', agent.MAX_TOPICS_PER_AGENT),
    byteLimit('an agent bundle', BUNDLE_BYTES),
    byteLimit('a compressed agent package', PACKAGE_BYTES),
    countLimit('seconds per agent run', agent.MAX_AGENT_SECONDS, 'run'),
    countLimit('seconds a bundle can take to load on deployment', agent.MAX_AGENT_LOAD_SECONDS),
    byteLimit('memory of an agent', agent.AGENT_MEGABYTES * 1024 * 1024, 'run'),
    countLimit('attempts per event and agent', agent.MAX_AGENT_ATTEMPTS, 'run'),
    countLimit('seconds an event waits for its agent over all attempts', agent.MAX_AGENT_QUEUE_SECONDS, 'run'),
    byteLimit('an event', events.MAX_EVENT_BYTES),
    countLimit('events per replay', events.MAX_EVENTS_PER_REPLAY, 'pages'),
    countLimit('webhooks per environment', webhooks.MAX_WEBHOOKS_PER_ENVIRONMENT, 'conflict'),
  ],
  'Users and access': [
    countLimit('guests per call', guests.MAX_GUESTS_PER_CALL),
    countLimit('spaces per guest', guest.MAX_SPACES_PER_GUEST, 'conflict'),
    countLimit('workbooks or sheets per grant', guest.MAX_PARTS_PER_GRANT),
    countLimit('roles per user or agent', role.MAX_ROLES_PER_ACTOR, 'conflict'),
    countLimit('tokens per user', user.MAX_TOKENS_PER_USER, 'conflict'),
    countLimit('allowed origins per environment', environments.MAX_ORIGINS_PER_ENVIRONMENT),
    countLimit('entitlements per call', accounts.MAX_ENTITLEMENTS_PER_CALL),
    countLimit('secrets per environment, space or agent', secrets.MAX_SECRETS_PER_SCOPE, 'conflict'),
    countLimit('characters per secret name', secrets.MAX_SECRET_NAME_LENGTH),
    countLimit('characters per secret value', secrets.MAX_SECRET_VALUE_LENGTH),
  ],
  'Data clips': [
    countLimit('collaborators per clip', clips.MAX_COLLABORATORS_PER_CLIP),
    countLimit('records per addition', clips.MAX_RECORDS_PER_ADDITION),
    countLimit('additions per clip', clips.MAX_ADDITIONS_PER_CLIP, 'conflict'),
    countLimit('decisions per clip', clips.MAX_DECISIONS_PER_CLIP, 'too-large'),
  ],
  'Documents, threads, canvases and apps': [
    byteLimit('a document', documents.MAX_DOCUMENT_BYTES),
    byteLimit('a thread', threads.MAX_THREAD_BYTES),
    byteLimit('a message', threads.MAX_MESSAGE_BYTES),
    byteLimit('a canvas or canvas area', canvases.MAX_CANVAS_BYTES),
    countLimit('areas per canvas', canvases.MAX_AREAS_PER_CANVAS, 'conflict'),
    byteLimit('an app', apps.MAX_APP_BYTES, 'invalid'),
    byteLimit('a constraint', apps.MAX_CONSTRAINT_BYTES, 'invalid'),
    countLimit('constraints per app', apps.MAX_CONSTRAINTS_PER_APP, 'conflict'),
    countLimit('versions per constraint', apps.MAX_VERSIONS_PER_CONSTRAINT, 'conflict'),
    countLimit('data retention policies per environment', retention.MAX_POLICIES_PER_ENVIRONMENT, 'conflict'),
  ],
  Requests: [
    ...buildBodyLimits(),
    byteLimit('a request on AWS', LAMBDA_REQUEST_BYTES, 'gateway'),
    countLimit('objects, arrays and their members in a JSON body', MAX_JSON_VALUES, 'too-large'),
    countLimit('nesting levels in a JSON body', MAX_JSON_DEPTH),
    countLimit('problems listed in an error', MAX_PROBLEMS_PER_ERROR, 'counted'),
    byteLimit('a direct response', INLINE_RESPONSE_BYTES, 'redirect'),
  ],
}
