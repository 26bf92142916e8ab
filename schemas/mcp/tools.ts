/** The tools that only read: each is one endpoint, with some of its parameters. */

export interface ReadTool {
  name: string
  title: string
  /** Id of the endpoint. */
  operation: string
  /** Query parameters that the tool has. */
  params: readonly string[]
  /** Added to the summary of the endpoint. */
  hint?: string
}

const PAGE = ['pageSize', 'pageNumber']
const SELECTION = ['filter', 'filterField', 'searchValue', 'searchField', 'q', 'ids', 'commitId']
const FFQL_HINT = '`q` is an FFQL query, such as `age gte 18 and (city eq "New York" or email is error)`.'

export const READ_TOOLS: readonly ReadTool[] = [
  { name: 'list_environments', title: 'List environments', operation: 'environments.list', params: PAGE },
  {
    name: 'list_spaces',
    title: 'List spaces',
    operation: 'spaces.list',
    params: ['environmentId', 'search', 'archived', ...PAGE],
    hint: 'A space holds the files and workbooks of one import project.',
  },
  { name: 'get_space', title: 'Read a space', operation: 'spaces.get', params: [] },
  {
    name: 'list_workbooks',
    title: 'List workbooks',
    operation: 'workbooks.list',
    params: ['spaceId', 'name', 'includeCounts'],
    hint: 'The label `file` marks workbooks that were extracted from files.',
  },
  { name: 'get_workbook', title: 'Read a workbook', operation: 'workbooks.get', params: [] },
  {
    name: 'get_sheet',
    title: 'Read a sheet',
    operation: 'sheets.get',
    params: [],
    hint: 'Its `config.fields` define the records: types, constraints, options.',
  },
  {
    name: 'read_records',
    title: 'Read records',
    operation: 'records.list',
    params: [...SELECTION, 'sortField', 'sortDirection', 'fields', ...PAGE],
    hint: `\`errors\` of a record has the messages by field. ${FFQL_HINT}`,
  },
  {
    name: 'count_records',
    title: 'Count records',
    operation: 'cells.counts',
    params: [...SELECTION, 'byField'],
    hint: FFQL_HINT,
  },
  {
    name: 'list_values',
    title: 'List the values of a field',
    operation: 'cells.values',
    params: [...SELECTION, 'fieldKey', 'distinct', 'includeCounts', ...PAGE],
  },
  { name: 'get_record_history', title: 'Read the history of a record', operation: 'records.history', params: PAGE },
  {
    name: 'find_errors',
    title: 'Find groups of errors',
    operation: 'quality.groups',
    params: ['filter', 'q', 'fieldKey', 'level', ...PAGE],
    hint: 'Pass a `fix`, or the right alternative of a `question`, to preview_edit. Ask the person which alternative is right unless the data decides it.',
  },
  {
    name: 'find_similar_values',
    title: 'Find spellings of the same value',
    operation: 'quality.clusters',
    params: ['filter', 'q', 'fieldKey', 'method', 'radius', ...PAGE],
    hint: 'Pass a `fix` to preview_edit.',
  },
  {
    name: 'find_duplicates',
    title: 'Find duplicate records',
    operation: 'quality.duplicates',
    params: ['filter', 'q', 'fields', 'method', 'radius', ...PAGE],
    hint: 'Pass a `merge` to preview_merge.',
  },
  {
    name: 'find_missing_references',
    title: 'Find missing referenced records',
    operation: 'quality.missing',
    params: ['filter', 'q', 'fieldKey', ...PAGE],
    hint: 'preview_missing_records can create them.',
  },
  {
    name: 'list_files',
    title: 'List files',
    operation: 'files.list',
    params: ['spaceId', 'environmentId', ...PAGE],
    hint: 'An extracted file has a `workbookId`.',
  },
  {
    name: 'get_file',
    title: 'Read the state of a file',
    operation: 'files.get',
    params: [],
    hint: '`statusReason` says why a file could not be read.',
  },
  {
    name: 'preview_file',
    title: 'Preview a file',
    operation: 'files.preview',
    params: ['delimiter', 'encoding'],
  },
  {
    name: 'list_jobs',
    title: 'List jobs',
    operation: 'jobs.list',
    params: ['environmentId', 'spaceId', 'workbookId', 'fileId', 'type', 'operation', 'status', ...PAGE],
  },
  {
    name: 'get_job',
    title: 'Read a job',
    operation: 'jobs.get',
    params: [],
    hint: 'Poll a job until its status is completed, failed or canceled.',
  },
  { name: 'get_mapping_plan', title: 'Read the plan of a mapping job', operation: 'jobs.plan', params: [] },
  {
    name: 'list_commits',
    title: 'List the changes of a sheet',
    operation: 'commits.ofSheet',
    params: ['mine', 'includeCounts', ...PAGE],
    hint: 'preview_undo undoes one of them.',
  },
  {
    name: 'list_data_clips',
    title: 'List data clips',
    operation: 'clips.list',
    params: ['spaceId', 'sheetId', 'status'],
    hint: 'A data clip holds proposed changes until a person merges them.',
  },
  {
    name: 'get_data_clip',
    title: 'Read a data clip',
    operation: 'clips.get',
    params: [],
    hint: 'The status `merged` means that a person approved the proposed changes.',
  },
  {
    name: 'list_proposed_changes',
    title: 'List the proposed changes of a data clip',
    operation: 'clips.resolutions',
    params: ['filterConflicts', 'includeSummary', ...PAGE],
  },
  {
    name: 'list_agent_runs',
    title: 'List the runs of deployed agents with their logs',
    operation: 'agents.environmentLogs',
    params: ['environmentId', 'spaceId', 'topic', 'since', 'until', 'success', ...PAGE],
  },
]
