/** All published limits, with the constants the code uses and what happens when they are exceeded. */

import { MAX_MACHINE_MEGABYTES, MAX_SOURCE_CHARACTERS } from '../../lib/jobs/mutation/limits.ts'
import { MAX_VALUES_PER_LIST } from '../../lib/records/fields/values.ts'
import * as role from '../../schemas/access/roles.ts'
import { MAX_ENTITLEMENTS_PER_CALL } from '../../schemas/accounts/shape.ts'
import { MAX_ACTION_BYTES, MAX_ACTIONS_PER_CALL } from '../../schemas/actions/shape.ts'
import {
  AGENT_MEGABYTES,
  MAX_AGENT_ATTEMPTS,
  MAX_AGENT_LOAD_SECONDS,
  MAX_AGENT_QUEUE_SECONDS,
  MAX_AGENT_SECONDS,
  MAX_TOPICS_PER_AGENT,
} from '../../schemas/agents/shape.ts'
import {
  MAX_APP_BYTES,
  MAX_CONSTRAINT_BYTES,
  MAX_CONSTRAINTS_PER_APP,
  MAX_VERSIONS_PER_CONSTRAINT,
} from '../../schemas/apps/shape.ts'
import { MAX_AREAS_PER_CANVAS, MAX_CANVAS_BYTES } from '../../schemas/canvases/shape.ts'
import {
  MAX_ADDITIONS_PER_CLIP,
  MAX_COLLABORATORS_PER_CLIP,
  MAX_DECISIONS_PER_CLIP,
  MAX_RECORDS_PER_ADDITION,
} from '../../schemas/clips/shape.ts'
import { MAX_DOCUMENT_BYTES } from '../../schemas/documents/shape.ts'
import { MAX_ORIGINS_PER_ENVIRONMENT } from '../../schemas/environments/shape.ts'
import { MAX_EVENT_BYTES, MAX_EVENTS_PER_REPLAY } from '../../schemas/events/shape.ts'
import {
  MAX_ARCHIVE_BYTES,
  MAX_ARROW_BUFFER_BYTES,
  MAX_ARROW_METADATA_BYTES,
  MAX_COMMENTS_PER_SHEET,
  MAX_COMPRESSION_RATIO,
  MAX_DETECTED_ROWS,
  MAX_ENTRIES_PER_ARCHIVE,
  MAX_ENTRY_BYTES,
  MAX_FILE_BYTES,
  MAX_FILE_PASSWORD_LENGTH,
  MAX_HTML_BYTES,
  MAX_MERGED_CELLS,
  MAX_NESTED_WORKBOOK_BYTES,
  MAX_NESTING_LEVELS,
  MAX_PARQUET_BUFFER_BYTES,
  MAX_PARQUET_FOOTER_BYTES,
  MAX_PASSWORD_ROUNDS,
  MAX_PREVIEW_BYTES,
  MAX_PROTECTED_BYTES,
  MAX_REPEATED_CELL_BYTES,
  MAX_SHARED_TEXT_BYTES,
  MAX_TABLES_PER_FILE,
  MAX_UNDIVIDED_BYTES,
  MAX_UNLOCKED_BYTES,
  MAX_XLS_BYTES,
} from '../../schemas/files/shape.ts'
import { MAX_GUESTS_PER_CALL, MAX_PARTS_PER_GRANT, MAX_SPACES_PER_GUEST } from '../../schemas/guests/shape.ts'
import { endpoints } from '../../schemas/index.ts'
import { MAX_KEY_FIELDS } from '../../schemas/jobs/import-modes.ts'
import { MAX_PREVIEWED_RECORDS, PREVIEW_SECONDS } from '../../schemas/jobs/preview.ts'
import {
  MAX_JOB_BYTES,
  MAX_PARTS_PER_SPLIT,
  MAX_PREDECESSORS_PER_JOB,
  MAX_RECORDS_PER_PREVIEW,
  MAX_SPLIT_BYTES,
  MAX_SUCCESSORS_PER_JOB,
} from '../../schemas/jobs/shape.ts'
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
} from '../../schemas/kit/byte-limits.ts'
import { buildPath, type Contract, getMaxBodyBytes } from '../../schemas/kit/endpoint.ts'
import type { ErrorCode } from '../../schemas/kit/error-codes.ts'
import {
  MAX_CHECKED_TEXTS,
  MAX_COMMITS_PER_RECIPE,
  MAX_MERGES_PER_IMPORT,
  MAX_MERGES_PER_PROGRAM,
  MAX_RECIPES_PER_ENVIRONMENT,
  MAX_RECORDED_EDIT_BYTES,
  MAX_TRANSLATED_VALUES,
} from '../../schemas/programs/limits.ts'
import * as rules from '../../schemas/programs/rules.ts'
import * as quality from '../../schemas/quality/limits.ts'
import {
  MAX_PARTS_PER_COMMIT,
  MAX_RECORDS_PER_CALL,
  MAX_RECORDS_PER_SHEET,
  MAX_RECORDS_PER_WORKSHEET,
  MAX_UNDONE_CHANGES,
  MIN_RECORDS_PER_EVENT,
} from '../../schemas/records/limits.ts'
import * as selection from '../../schemas/records/selection.ts'
import { MAX_POLICIES_PER_ENVIRONMENT } from '../../schemas/retention/shape.ts'
import { MAX_SECRET_NAME_LENGTH, MAX_SECRET_VALUE_LENGTH, MAX_SECRETS_PER_SCOPE } from '../../schemas/secrets/shape.ts'
import { MAX_CONSTRAINTS_PER_FIELD, MAX_OPTIONS_PER_FIELD } from '../../schemas/sheets/fields.ts'
import * as sheetRule from '../../schemas/sheets/rules.ts'
import { MAX_FIELDS_PER_SHEET, MAX_SHEET_CONFIG_BYTES, MAX_SNAPSHOTS_PER_TABLE } from '../../schemas/sheets/shape.ts'
import * as assistant from '../../schemas/threads/assistant.ts'
import { MAX_MESSAGE_BYTES, MAX_THREAD_BYTES } from '../../schemas/threads/shape.ts'
import { MAX_TOKENS_PER_USER } from '../../schemas/users/shape.ts'
import { MAX_CHECKED_REFERENCES, MAX_VALUES_PER_INTERPRETATION } from '../../schemas/values/shape.ts'
import { MAX_VIEWS_PER_SHEET } from '../../schemas/views/shape.ts'
import { MAX_WEBHOOKS_PER_ENVIRONMENT } from '../../schemas/webhooks/shape.ts'
import { MAX_SHEETS_PER_WORKBOOK } from '../../schemas/workbooks/shape.ts'

type Consequence =
  | ErrorCode
  | 'run'
  | 'job'
  | 'message'
  | 'named'
  | 'step'
  | 'pages'
  | 'redirect'
  | 'gateway'
  | 'counted'
  | 'cut'
  | 'oldest'
  | 'stopped'
  | 'unread'
  | 'grouped'
  | 'equal'
  | 'unsuggested'

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
    countLimit('records per call', MAX_RECORDS_PER_CALL),
    countLimit('records per sheet (`RECORDS_PER_SHEET`)', MAX_RECORDS_PER_SHEET, 'conflict'),
    countLimit('rows per table in a file', MAX_RECORDS_PER_SHEET, 'job'),
    countLimit('`ids` a call', selection.MAX_IDS_PER_CALL),
    byteLimit('a value', VALUE_BYTES, 'invalid'),
    byteLimit('metadata and config of a record, each', METADATA_BYTES, 'invalid'),
    countLimit('values per list', MAX_VALUES_PER_LIST, 'message'),
    byteLimit('a line of JSON Lines', LINE_BYTES),
    countLimit('characters per query', selection.MAX_QUERY_LENGTH),
    countLimit('characters per `like` pattern that contains `_`', selection.MAX_WILDCARD_PATTERN_LENGTH),
  ],
  'Data quality': [
    countLimit('groups of errors per sheet', quality.MAX_QUALITY_GROUPS, 'grouped'),
    countLimit('characters per pattern', quality.MAX_PATTERN_LENGTH, 'cut'),
    countLimit('replacements per edit', quality.MAX_REPLACEMENTS_PER_EDIT),
    countLimit(
      'different values of a referenced field that fixes are suggested from',
      quality.MAX_LINK_TARGETS,
      'unsuggested',
    ),
    countLimit('different texts of a field compared by `distance`', quality.MAX_DISTANCE_VALUES, 'unprocessable'),
    countLimit('comparisons by `distance`', quality.MAX_DISTANCE_COMPARISONS, 'unprocessable'),
    countLimit('characters per text compared by `distance`', quality.MAX_DISTANCE_LENGTH, 'equal'),
    countLimit('fields that duplicates are found by', quality.MAX_DUPLICATE_FIELDS),
    countLimit('records per merge and per returned group', quality.MAX_RECORDS_PER_DUPLICATE_GROUP),
    countLimit('merges per call', quality.MAX_MERGES_PER_CALL),
    countLimit('missing records created per call', quality.MAX_MISSING_RECORDS_PER_CALL),
  ],
  'Workbooks and sheets': [
    countLimit('sheets per workbook created in one call', MAX_SHEETS_PER_WORKBOOK),
    countLimit('fields per sheet', MAX_FIELDS_PER_SHEET),
    byteLimit("a sheet's configuration", MAX_SHEET_CONFIG_BYTES, 'invalid'),
    countLimit("snapshots that a sheet's table lists", MAX_SNAPSHOTS_PER_TABLE, 'oldest'),
    countLimit('options per field', MAX_OPTIONS_PER_FIELD),
    countLimit('views per sheet', MAX_VIEWS_PER_SHEET, 'conflict'),
    byteLimit('an action', MAX_ACTION_BYTES),
    countLimit('actions per call', MAX_ACTIONS_PER_CALL),
  ],
  Rules: [
    countLimit('constraints per field', MAX_CONSTRAINTS_PER_FIELD),
    countLimit('rules over several fields per sheet', sheetRule.MAX_RULES_PER_SHEET),
    countLimit('fields of `required-with`', sheetRule.MAX_FIELDS_PER_RULE),
    countLimit('characters per pattern', sheetRule.MAX_PATTERN_LENGTH),
    countLimit('steps of a compiled pattern', sheetRule.MAX_PATTERN_STEPS),
    countLimit('characters of a text that a pattern matches', sheetRule.MAX_MATCHED_CHARACTERS, 'message'),
    countLimit('values of `oneOf`', sheetRule.MAX_ALLOWED_VALUES),
    countLimit('characters of `when`', sheetRule.MAX_CONDITION_LENGTH),
    countLimit('characters per message', sheetRule.MAX_MESSAGE_LENGTH),
  ],
  Files: [
    byteLimit('a file', MAX_FILE_BYTES),
    byteLimit('a file that is not delimited text in UTF-8', MAX_UNDIVIDED_BYTES, 'job'),
    countLimit('tables per file', MAX_TABLES_PER_FILE, 'job'),
    countLimit('entries per archive', MAX_ENTRIES_PER_ARCHIVE, 'job'),
    byteLimit('an unpacked archive entry', MAX_ENTRY_BYTES, 'job'),
    byteLimit('an unpacked archive', MAX_ARCHIVE_BYTES, 'job'),
    countLimit('compression ratio of an archive', MAX_COMPRESSION_RATIO, 'job'),
    byteLimit('shared strings of a workbook', MAX_SHARED_TEXT_BYTES, 'job'),
    byteLimit('nested workbooks in an archive', MAX_NESTED_WORKBOOK_BYTES, 'job'),
    byteLimit('an XLS workbook', MAX_XLS_BYTES, 'job'),
    byteLimit('a workbook with a password', MAX_PROTECTED_BYTES, 'unprocessable'),
    countLimit('characters per password of a workbook', MAX_FILE_PASSWORD_LENGTH),
    countLimit('rounds that the password of a workbook is hashed', MAX_PASSWORD_ROUNDS, 'unprocessable'),
    byteLimit('an unpacked ODS file with a password', MAX_UNLOCKED_BYTES, 'unprocessable'),
    countLimit('records per sheet of an XLSX or ODS export', MAX_RECORDS_PER_WORKSHEET, 'job'),
    countLimit('comments per sheet of an XLSX export', MAX_COMMENTS_PER_SHEET, 'job'),
    byteLimit('an HTML page', MAX_HTML_BYTES, 'job'),
    byteLimit('the footer of a Parquet file', MAX_PARQUET_FOOTER_BYTES, 'job'),
    byteLimit('open pages of a Parquet file', MAX_PARQUET_BUFFER_BYTES, 'job'),
    byteLimit('the metadata of a message of an Arrow file', MAX_ARROW_METADATA_BYTES, 'job'),
    byteLimit('a record batch of an Arrow file and its dictionaries', MAX_ARROW_BUFFER_BYTES, 'job'),
    countLimit('filled merged cells', MAX_MERGED_CELLS, 'job'),
    byteLimit('repeated cells of an ODS or XLS file', MAX_REPEATED_CELL_BYTES, 'job'),
    byteLimit('a JSON value, or an XML text or tag', VALUE_BYTES, 'job'),
    countLimit('nesting levels of JSON, XML, Parquet and Arrow', MAX_NESTING_LEVELS, 'job'),
    countLimit('rows checked for a header', MAX_DETECTED_ROWS),
    byteLimit('a workbook that can be previewed', MAX_PREVIEW_BYTES, 'unprocessable'),
  ],
  Jobs: [
    byteLimit('config, input, metadata and outcome of a job, combined', MAX_JOB_BYTES),
    countLimit('parts per split', MAX_PARTS_PER_SPLIT),
    byteLimit('parts of a split, combined', MAX_SPLIT_BYTES),
    countLimit('predecessors per job', MAX_PREDECESSORS_PER_JOB),
    countLimit('successors per job', MAX_SUCCESSORS_PER_JOB),
    countLimit('records per preview of a mutation', MAX_RECORDS_PER_PREVIEW),
    countLimit('records shown in the preview of a mapping', MAX_PREVIEWED_RECORDS, 'stopped'),
    countLimit('seconds that the preview of a mapping counts records', PREVIEW_SECONDS, 'stopped'),
    countLimit('characters per mutation function', MAX_SOURCE_CHARACTERS),
    byteLimit('memory of a mutation function', MAX_MACHINE_MEGABYTES * 1024 * 1024, 'job'),
    countLimit('key fields per import', MAX_KEY_FIELDS),
    countLimit(
      'updated and deleted records of an import that is undone after later commits',
      MAX_UNDONE_CHANGES,
      'conflict',
    ),
    countLimit('rules per mapping program', rules.MAX_RULES_PER_PROGRAM),
    countLimit('recipes per environment', MAX_RECIPES_PER_ENVIRONMENT, 'conflict'),
    countLimit('commits after the import that a recipe is made from', MAX_COMMITS_PER_RECIPE, 'conflict'),
    byteLimit('an edit in a recipe', MAX_RECORDED_EDIT_BYTES, 'named'),
    countLimit('searches for duplicates per recipe', MAX_MERGES_PER_PROGRAM),
    countLimit('groups of duplicates that a recipe merges', MAX_MERGES_PER_IMPORT, 'step'),
    countLimit('nesting levels of subprograms', rules.MAX_SUBPROGRAM_DEPTH),
    countLimit('characters per rule text', rules.MAX_RULE_TEXT_LENGTH),
    countLimit('values per call of `POST /values/interpret`', MAX_VALUES_PER_INTERPRETATION),
    countLimit('references per call of `POST /sheets/{sheetId}/check-fields`', MAX_CHECKED_REFERENCES),
    countLimit('different texts per column that a suggestion translates to options', MAX_TRANSLATED_VALUES, 'unread'),
    countLimit('texts per column checked for invisible characters in text fields', MAX_CHECKED_TEXTS, 'unread'),
  ],
  'Agents, events and webhooks': [
    countLimit('topics per agent', MAX_TOPICS_PER_AGENT),
    byteLimit('an agent bundle', BUNDLE_BYTES),
    byteLimit('a compressed agent package', PACKAGE_BYTES),
    countLimit('seconds per agent run', MAX_AGENT_SECONDS, 'run'),
    countLimit('seconds a bundle can take to load on deployment', MAX_AGENT_LOAD_SECONDS),
    byteLimit('memory of an agent', AGENT_MEGABYTES * 1024 * 1024, 'run'),
    countLimit('records per event of an agent, at least', MIN_RECORDS_PER_EVENT),
    countLimit('records per event of an agent', MAX_RECORDS_PER_CALL),
    countLimit('parts of a commit', MAX_PARTS_PER_COMMIT),
    countLimit('attempts per event and agent', MAX_AGENT_ATTEMPTS, 'run'),
    countLimit('seconds an event waits for its agent over all attempts', MAX_AGENT_QUEUE_SECONDS, 'run'),
    byteLimit('an event', MAX_EVENT_BYTES),
    countLimit('events per replay', MAX_EVENTS_PER_REPLAY, 'pages'),
    countLimit('webhooks per environment', MAX_WEBHOOKS_PER_ENVIRONMENT, 'conflict'),
  ],
  'Users and access': [
    countLimit('guests per call', MAX_GUESTS_PER_CALL),
    countLimit('spaces per guest', MAX_SPACES_PER_GUEST, 'conflict'),
    countLimit('workbooks or sheets per grant', MAX_PARTS_PER_GRANT),
    countLimit('roles per user or agent', role.MAX_ROLES_PER_ACTOR, 'conflict'),
    countLimit('tokens per user', MAX_TOKENS_PER_USER, 'conflict'),
    countLimit('allowed origins per environment', MAX_ORIGINS_PER_ENVIRONMENT),
    countLimit('entitlements per call', MAX_ENTITLEMENTS_PER_CALL),
    countLimit('secrets per environment, space or agent', MAX_SECRETS_PER_SCOPE, 'conflict'),
    countLimit('characters per secret name', MAX_SECRET_NAME_LENGTH),
    countLimit('characters per secret value', MAX_SECRET_VALUE_LENGTH),
  ],
  'Data clips': [
    countLimit('collaborators per clip', MAX_COLLABORATORS_PER_CLIP),
    countLimit('records per addition', MAX_RECORDS_PER_ADDITION),
    countLimit('additions per clip', MAX_ADDITIONS_PER_CLIP, 'conflict'),
    countLimit('decisions per clip', MAX_DECISIONS_PER_CLIP, 'too-large'),
  ],
  Assistant: [
    countLimit('characters per question', assistant.MAX_QUESTION_LENGTH),
    countLimit('messages per thread with the assistant', assistant.MAX_MESSAGES_PER_ASSISTED_THREAD, 'conflict'),
    countLimit(
      'questions per environment and day, unless `messagesPerDay` is set',
      assistant.DEFAULT_MESSAGES_PER_DAY,
      'too-many-requests',
    ),
    countLimit('calls of the model per reply', assistant.MAX_MODEL_CALLS, 'message'),
    countLimit('calls of tools per reply', assistant.MAX_TOOL_CALLS, 'message'),
    countLimit('seconds per call of the model', assistant.MODEL_CALL_SECONDS, 'message'),
    countLimit('seconds per reply', assistant.REPLY_SECONDS, 'message'),
    byteLimit('a response of the model', assistant.MODEL_RESPONSE_BYTES, 'message'),
    countLimit('characters of a reply', assistant.MAX_REPLY_LENGTH, 'cut'),
    countLimit('messages that the model reads', assistant.MAX_MESSAGES_READ, 'unread'),
    countLimit('records that the model reads per question (`sampleRecords`)', assistant.MAX_SAMPLE_RECORDS),
    countLimit('proposals per reply', assistant.MAX_PROPOSALS_PER_REPLY, 'message'),
  ],
  'Documents, threads, canvases and apps': [
    byteLimit('a document', MAX_DOCUMENT_BYTES),
    byteLimit('a thread', MAX_THREAD_BYTES),
    byteLimit('a message', MAX_MESSAGE_BYTES),
    byteLimit('a canvas or canvas area', MAX_CANVAS_BYTES),
    countLimit('areas per canvas', MAX_AREAS_PER_CANVAS, 'conflict'),
    byteLimit('an app', MAX_APP_BYTES, 'invalid'),
    byteLimit('a constraint', MAX_CONSTRAINT_BYTES, 'invalid'),
    countLimit('constraints per app', MAX_CONSTRAINTS_PER_APP, 'conflict'),
    countLimit('versions per constraint', MAX_VERSIONS_PER_CONSTRAINT, 'conflict'),
    countLimit('data retention policies per environment', MAX_POLICIES_PER_ENVIRONMENT, 'conflict'),
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
