/** Requests with every property of the public SDK's bodies. Ids appear as `{spaceId}`. */

export interface SdkRequest {
  name: string
  query?: Record<string, string>
  body: object
  expected?: object
  notReturned?: readonly string[]
  rejected?: readonly string[]
}

const AT = '2026-03-01T09:30:00.000Z'
const anything = { theme: { root: { primaryColor: 'navy' } }, list: [1, 'two', null], deep: { er: true } }
const inputForm = {
  type: 'simple',
  fields: [
    {
      key: 'note',
      label: 'Note',
      description: 'What for',
      type: 'enum',
      defaultValue: 'june',
      config: { options: [{ value: 'june', label: 'June', description: 'x', color: 'red', icon: 'sun', meta: {} }] },
      constraints: [{ type: 'required' }],
    },
  ],
}
const action = {
  slug: 'older',
  operation: 'submit',
  mode: 'foreground',
  tooltip: 'Sends it',
  messages: [{ type: 'info', content: 'Soon' }],
  type: 'string',
  description: 'Sends all of it',
  schedule: 'weekly',
  primary: true,
  confirm: false,
  icon: 'send',
  requireAllValid: false,
  requireSelection: false,
  inputForm,
  constraints: [{ type: 'hasData' }],
  mount: { type: 'sheet', slugs: ['people'] },
  guide: { summary: 'How' },
  guardrail: { content: 'Mind' },
  createdFrom: 'us_act_other',
  lastPropagatedAt: AT,
  deletedAt: AT,
  invalidConditionalMessaging: true,
  validRecordsMessage: 'All good',
  invalidRecordsMessage: 'Look again',
  label: 'Submit',
}
const [{ label }] = [action]
const fieldBase = {
  label: 'A label',
  description: 'What it holds',
  readonly: false,
  appearance: { size: 'm' },
  actions: [{ operation: 'mend', label: 'Mend' }],
  metadata: anything,
  treatments: ['ARBITRARY'],
  alternativeNames: ['other'],
}
const option = {
  value: 'a',
  label: 'A',
  description: 'first',
  color: 'red',
  icon: 'x',
  meta: { n: 1 },
  alternativeNames: ['alpha'],
  ordinal: 1,
}
const message = { message: 'must be there', level: 'warn' }
const sheet = {
  name: 'All',
  slug: 'all',
  description: 'Everything there is',
  readonly: false,
  allowAdditionalFields: true,
  mappingConfidenceThreshold: 0.4,
  access: ['add', 'edit'],
  fields: [
    {
      ...fieldBase,
      key: 'text',
      type: 'string',
      config: { size: 'normal' },
      constraints: [
        { type: 'required', config: message },
        { type: 'unique', config: { ...message, caseSensitive: true, ignoreEmpty: true } },
        { type: 'computed' },
        { type: 'external', validator: 'mine', config: { n: 1 }, label: 'Mine' },
        { type: 'stored', validator: 'fixture', version: '1', config: { n: 1 } },
      ],
    },
    { ...fieldBase, key: 'number', type: 'number', config: { decimalPlaces: 2 }, isArray: false },
    { ...fieldBase, key: 'truth', type: 'boolean', config: { allowIndeterminate: true } },
    { ...fieldBase, key: 'day', type: 'date' },
    {
      ...fieldBase,
      key: 'one',
      type: 'enum',
      isArray: false,
      multi: false,
      config: { allowCustom: true, options: [option], sortBy: 'ordinal' },
    },
    { ...fieldBase, key: 'some', type: 'enum-list', config: { allowCustom: true, options: [option], sortBy: 'label' } },
    { ...fieldBase, key: 'texts', type: 'string-list' },
    {
      ...fieldBase,
      key: 'of',
      type: 'reference',
      isArray: false,
      config: {
        ref: 'all',
        key: 'text',
        relationship: 'has-one',
        filter: { refField: 'number', recordField: 'number' },
      },
    },
    {
      ...fieldBase,
      key: 'ofs',
      type: 'reference-list',
      config: { ref: 'all', key: 'text', filter: { refField: 'number', recordField: 'number' } },
    },
  ],
  actions: [action],
  metadata: anything,
  constraints: [
    {
      type: 'unique',
      name: 'both',
      fields: ['text', 'number'],
      requiredFields: ['text'],
      strategy: 'concat',
      config: message,
    },
    { type: 'external', validator: 'mine', fields: ['text'], config: { n: 1 } },
  ],
  treatments: ['ENUM_REFERENCE'],
  collection: 'people',
}
const space = {
  spaceConfigId: 'us_sc_mine',
  environmentId: '{environmentId}',
  metadata: anything,
  settings: {
    sidebarConfig: { workbookSidebarOrder: ['{workbookId}'] },
    filesMappedAfterJob: 'us_jb_x',
    extractionOptions: { algorithm: 'default', headerSelectionEnabled: true },
    omitActions: true,
    omitRowSelectionToolbar: true,
  },
  actions: [action],
  access: ['upload'],
  namespace: 'red',
  labels: ['spring'],
  translationsPath: 'https://example.com/i18n',
  languageOverride: 'de',
  appId: '{appId}',
  isAppTemplate: false,
  name: 'Every property',
  displayOrder: 3,
  guestAuthentication: 'shared_link',
}
const workbook = {
  name: 'Every property',
  labels: ['pinned'],
  spaceId: '{spaceId}',
  environmentId: '{environmentId}',
  namespace: 'blue',
  actions: [action],
  settings: { trackChanges: true, noMappingRedirect: true, sheetSidebarOrder: ['{sheetId}'], autoRunAnalysis: false },
  metadata: anything,
  folder: 'mine',
}
const job = {
  type: 'workbook',
  operation: 'every-property',
  source: '{workbookId}',
  destination: '{workbookId}',
  config: { any: { thing: 1 } },
  trigger: 'manual',
  progress: 5,
  fileId: '{fileId}',
  mode: 'background',
  input: anything,
  subject: { type: 'collection', resource: 'records', params: { sheetId: '{sheetId}' }, query: { filter: 'all' } },
  outcome: { message: 'Later' },
  result: anything,
  info: 'Not begun',
  managed: true,
  environmentId: '{environmentId}',
  part: 1,
  partData: anything,
  partExecution: 'sequential',
  parentId: '{jobId}',
  predecessorIds: ['{jobId}'],
  metadata: anything,
}
const area = {
  canvasId: '{canvasId}',
  type: 'sheet',
  position: 'left',
  visibility: 'visible',
  layout: 'split',
  overlay: anything,
  config: anything,
  metadata: anything,
  parentId: '{canvasAreaId}',
}
const viewConfig = {
  filter: 'error',
  filterField: 'email',
  searchValue: 'ada',
  searchField: 'email',
  sortField: 'email',
  sortDirection: 'asc',
  ids: ['{recordId}'],
  q: 'email eq "a"',
}

export const SDK_REQUESTS: readonly SdkRequest[] = [
  { name: 'accounts.updateCurrent', body: { name: 'Every property', defaultAppId: '{appId}' } },
  { name: 'actions.create', query: { spaceId: '{spaceId}' }, body: { ...action, targetId: '{sheetId}' } },
  { name: 'actions.update', body: { ...action, label: `${label} it` } },
  {
    name: 'apps.create',
    body: {
      name: 'Every property',
      namespace: 'every',
      type: 'PROJECTS',
      entity: 'Project',
      entityPlural: 'Projects',
      icon: 'x',
      metadata: anything,
      environmentFilters: anything,
      blueprint: anything,
    },
  },
  {
    name: 'apps.update',
    body: {
      name: 'Other',
      namespace: 'other',
      entity: 'Thing',
      entityPlural: 'Things',
      icon: 'y',
      metadata: anything,
      environmentFilters: anything,
      blueprint: anything,
      activatedAt: AT,
    },
  },
  {
    name: 'apps.createConstraint',
    body: {
      description: 'x',
      function: 'x => x',
      options: anything,
      label: 'X',
      validator: 'every',
      appId: '{appId}',
    },
  },
  { name: 'apps.updateConstraint', body: { description: 'y', function: 'y => y', options: anything, label: 'Y' } },
  { name: 'canvasAreas.create', body: area },
  { name: 'canvasAreas.update', body: { ...area, parentId: undefined, layout: 'modal' }, notReturned: ['parentId'] },
  {
    name: 'dataClips.create',
    body: {
      name: 'Every property',
      description: 'x',
      sourceSheetId: '{sheetId}',
      collaborators: ['{guestId}'],
      sharedLinkAccess: 'public',
    },
  },
  {
    name: 'dataClips.update',
    body: {
      name: 'Other',
      description: 'y',
      status: 'reviewing',
      collaborators: ['{guestId}'],
      sharedLinkAccess: 'public',
    },
  },
  {
    name: 'dataRetentionPolicies.create',
    body: { type: 'lastActivity', period: 400, environmentId: '{environmentId}' },
  },
  { name: 'documents.create', body: { title: 'X', body: '# X', treatments: ['mine'], actions: [action] } },
  { name: 'documents.update', body: { title: 'Y', body: '# Y', treatments: ['other'], actions: [action] } },
  {
    name: 'environments.create',
    body: {
      name: 'Every property',
      isProd: false,
      guestAuthentication: ['shared_link'],
      metadata: anything,
      translationsPath: 'https://example.com/i18n',
      namespaces: ['red'],
      languageOverride: 'de',
    },
    expected: { guestAuthentication: 'shared_link' },
  },
  {
    name: 'environments.update',
    body: {
      name: 'Other',
      isProd: false,
      guestAuthentication: ['magic_link'],
      metadata: anything,
      translationsPath: 'https://example.com/i18n2',
      namespaces: ['blue'],
      languageOverride: 'fr',
    },
    expected: { guestAuthentication: 'magic_link' },
  },
  {
    name: 'events.create',
    body: {
      domain: 'shop',
      topic: 'shop:ordered',
      context: { environmentId: '{environmentId}', spaceId: '{spaceId}' },
      attributes: { progress: { current: 1, total: 2, percent: 50 } },
      callbackUrl: 'v1/spaces/{spaceId}',
      dataUrl: 'v1/spaces/{spaceId}?x=1',
      target: 'somebody',
      origin: { id: 'x', slug: 'y' },
      namespaces: ['space:red'],
      payload: anything,
    },
    rejected: ['deletedAt'],
  },
  {
    name: 'files.update',
    body: {
      workbookId: '{workbookId}',
      name: 'other.csv',
      mode: 'import',
      status: 'analyzed',
      actions: [action],
      description: 'Told beside what the SDK tells',
    },
  },
  {
    name: 'guests.update',
    body: {
      environmentId: '{environmentId}',
      email: 'other@example.com',
      name: 'Other',
      spaces: [{ id: '{spaceId}', lastAccessed: AT }],
    },
    expected: { spaces: [{ id: '{spaceId}' }] },
  },
  { name: 'jobs.create', body: job, notReturned: ['status'] },
  {
    name: 'jobs.update',
    body: { config: { any: 1 }, progress: 7, info: 'x', metadata: anything },
    notReturned: ['status', 'outcomeAcknowledgedAt'],
  },
  {
    name: 'mapping.updateRule',
    body: {
      name: 'X',
      type: 'assign',
      config: { sourceField: 'E-Mail', destinationField: 'email' },
      acceptedAt: AT,
      acceptedBy: '{userId}',
      metadata: anything,
    },
  },
  {
    name: 'messages.createMessage',
    body: {
      messageId: 'us_msg_mine',
      content: anything,
      parts: [anything],
      annotations: [anything],
      role: 'assistant',
      state: anything,
      metadata: anything,
    },
    notReturned: ['messageId'],
  },
  {
    name: 'secrets.upsert',
    body: {
      name: 'EVERY',
      value: 'property',
      environmentId: '{environmentId}',
      spaceId: '{spaceId}',
      actorId: '{userId}',
    },
  },
  { name: 'sheets.updateSheet', body: { name: 'Other', slug: 'people', metadata: anything } },
  { name: 'snapshots.createSnapshot', body: { sheetId: '{sheetId}', label: 'x', threadId: '{threadId}' } },
  {
    name: 'spaces.create',
    body: { ...space, archivedAt: AT, primaryWorkbookId: '{workbookId}', autoConfigure: false },
    notReturned: ['archivedAt'],
  },
  {
    name: 'spaces.update',
    body: { ...space, primaryWorkbookId: '{workbookId}', autoConfigure: false, archivedAt: null },
    notReturned: ['archivedAt'],
  },
  {
    name: 'threads.createThread',
    body: { resourceId: '{sheetId}', metadata: anything, source: 'x', state: anything, status: 'active' },
  },
  {
    name: 'threads.updateThread',
    body: {
      resourceId: '{sheetId}',
      metadata: anything,
      source: 'y',
      state: { n: 1 },
      status: 'ready',
      stateUpdateStrategy: 'replace',
    },
    notReturned: ['stateUpdateStrategy'],
  },
  { name: 'users.update', body: { name: 'Other', dashboard: 3 } },
  { name: 'views.create', body: { sheetId: '{sheetId}', name: 'X', config: viewConfig } },
  { name: 'views.update', body: { name: 'Y', config: viewConfig } },
  {
    name: 'workbooks.create',
    body: { ...workbook, sheets: [sheet], treatments: ['SMALL_DATA'], storageStrategy: 'HYPERCUBE' },
    expected: {
      sheets: [
        { slug: 'all', config: sheet, metadata: anything, treatments: ['ENUM_REFERENCE'], collection: 'people' },
      ],
    },
  },
  {
    name: 'workbooks.update',
    body: {
      ...workbook,
      sheets: [
        {
          id: '{sheetId}',
          workbookId: '{workbookId}',
          config: { description: 'As it is read' },
          metadata: { rowHeaders: [1] },
          namespace: 'yellow',
          createdAt: AT,
          updatedAt: AT,
        },
      ],
    },
    expected: {
      sheets: [
        {
          id: '{sheetId}',
          config: { description: 'As it is read' },
          metadata: { rowHeaders: [1] },
          namespace: 'yellow',
        },
      ],
    },
  },
]
