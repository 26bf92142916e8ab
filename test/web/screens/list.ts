export const FOLDER = 'docs/screens'
export const TOUR = `${FOLDER}/tour.webp`

const CONSOLE = '/console/:environmentId'
const BUILDER = `${CONSOLE}/builder`
const SPACE = '/s/:spaceId'
const SHEET = `${SPACE}/sheets/:sheetId`
const MAPPING = `${SPACE}/map/:jobId`

const screen = (path: string, name: string, title: string) => ({ path, name, title })

export type Screen = ReturnType<typeof screen>

export const SCREENS = {
  guest: {
    title: 'A space, as its guests see it',
    screens: [
      screen(SPACE, 'sign-in-guest', 'Sign-in by e-mail'),
      screen(SPACE, 'link-sent', 'A link that was sent'),
      screen(SPACE, 'link-expired', 'A link that has expired'),
      screen(SPACE, 'link-shared', 'A link that many guests share'),
      screen(SPACE, 'signed-in-already', 'A link for another guest'),
      screen(SPACE, 'welcome', 'A new space: what is needed'),
      screen(SPACE, 'paste', 'A table that is pasted'),
      screen(SPACE, 'header-row', 'How a file is read: its header row'),
      screen(MAPPING, 'mapping', 'The columns of a file and the fields they fill'),
      screen(MAPPING, 'mapping-questions', 'A question about dates with two meanings'),
      screen(MAPPING, 'mapping-values', 'The values of a file and the options they become'),
      screen(SPACE, 'overview', 'A space'),
      screen(`${SPACE}/files`, 'files', 'The files of a space'),
      screen(SHEET, 'sheet', 'A sheet'),
      screen(SHEET, 'dark', 'A sheet in dark mode'),
      screen(SHEET, 'phone', 'A sheet on a phone'),
      screen(SHEET, 'review', 'Errors in groups, each with its fix'),
      screen(SHEET, 'history', 'The history of a record'),
      screen(SHEET, 'comments', 'The comments on a record'),
      screen(SHEET, 'replace', 'Find and replace'),
      screen(SHEET, 'view', 'Columns and saved views'),
      screen(SHEET, 'snapshots', 'Snapshots of a sheet'),
      screen(SHEET, 'clip', 'A clip of some records'),
      screen(SHEET, 'clip-review', 'The changes in a clip, before they are merged'),
      screen(`${SPACE}/documents/:documentId`, 'document', 'A document'),
      screen(`${SPACE}/activity`, 'activity', 'The activity of a space'),
      screen(SPACE, 'space-choice', 'The choice of another space'),
      screen(SPACE, 'action-form', 'The form of an action'),
      screen(SPACE, 'outcome', 'The outcome of a submission'),
      screen(SPACE, 'submitted', 'A space after its submission'),
      screen(SPACE, 'arabic', 'A space in Arabic'),
    ],
  },
  assistants: {
    title: 'AI assistants',
    screens: [
      screen(`${SPACE}/assistant`, 'assistant', 'The assistant of a space, with a proposal'),
      screen('/connect', 'connect', 'An AI agent that asks for access'),
    ],
  },
  console: {
    title: 'The console',
    screens: [
      screen('/sign-in', 'sign-in', 'Sign-in'),
      screen('/signed-in', 'sign-in-foreign', 'A sign-in that another tab started'),
      screen('/accept-invite', 'accept-invite', 'The invitation of a user'),
      screen(`${CONSOLE}/home`, 'console-home', 'Home'),
      screen(`${CONSOLE}/home`, 'console-search', 'Search over everything'),
      screen(`${CONSOLE}/start`, 'console-start', 'First steps'),
      screen(`${CONSOLE}/spaces`, 'console-spaces', 'Spaces'),
      screen(`${CONSOLE}/spaces/:id`, 'console-space', 'A space'),
      screen(`${CONSOLE}/spaces/:id/guests`, 'console-space-guests', 'A space: guests'),
      screen(`${CONSOLE}/spaces/:id/files`, 'console-space-files', 'A space: files'),
      screen(`${CONSOLE}/spaces/:id/jobs`, 'console-space-jobs', 'A space: jobs'),
      screen(`${CONSOLE}/spaces/:id/events`, 'console-space-events', 'A space: events'),
      screen(`${CONSOLE}/spaces/:id/settings`, 'console-space-settings', 'A space: settings'),
      screen(`${CONSOLE}/spaces/:id/settings`, 'console-confirm', 'A deletion that asks for the name'),
      screen(`${CONSOLE}/files`, 'console-files', 'Files'),
      screen(`${CONSOLE}/files/:id`, 'console-file', 'A file'),
      screen(`${CONSOLE}/jobs`, 'console-jobs', 'Jobs'),
      screen(`${CONSOLE}/jobs/:id`, 'console-job', 'A job'),
      screen(`${CONSOLE}/guests`, 'console-guests', 'Guests'),
      screen(`${CONSOLE}/guests/:id`, 'console-guest', 'A guest'),
      screen(`${CONSOLE}/users`, 'console-users', 'Users and roles'),
      screen(`${CONSOLE}/users/:id`, 'console-user', 'A user'),
      screen(`${CONSOLE}/agents`, 'console-agents', 'Agents'),
      screen(`${CONSOLE}/agents/:id`, 'console-agent', 'An agent: runs'),
      screen(`${CONSOLE}/agents/:id`, 'console-agent-run', 'A run of an agent with its log'),
      screen(`${CONSOLE}/agents/:id/versions`, 'console-agent-versions', 'An agent: versions'),
      screen(`${CONSOLE}/agents/:id/code`, 'console-agent-code', 'An agent: code'),
      screen(`${CONSOLE}/agents/:id/details`, 'console-agent-details', 'An agent: details'),
      screen(`${CONSOLE}/events`, 'console-events', 'Events'),
      screen(`${CONSOLE}/events/:id`, 'console-event', 'An event'),
      screen(`${CONSOLE}/webhooks`, 'console-webhooks', 'Webhooks'),
      screen(`${CONSOLE}/webhooks/:id`, 'console-webhook', 'A webhook'),
      screen(`${CONSOLE}/webhooks/:id`, 'console-delivery', 'A delivery with its responses'),
      screen(`${CONSOLE}/secrets`, 'console-secrets', 'Secrets'),
      screen(`${CONSOLE}/keys`, 'console-keys', 'Keys'),
      screen(`${CONSOLE}/environments`, 'console-environments', 'Environments'),
      screen(`${CONSOLE}/environments/:id`, 'console-environment', 'An environment'),
      screen(`${CONSOLE}/environments/:id`, 'console-default-workbook', 'The workbook of new spaces'),
      screen(`${CONSOLE}/audit`, 'console-audit', 'Audit log'),
      screen(`${CONSOLE}/usage`, 'console-usage', 'Usage'),
      screen(`${CONSOLE}/retention`, 'console-retention', 'Retention'),
      screen(`${CONSOLE}/tokens`, 'console-tokens', 'Personal access tokens'),
      screen(`${CONSOLE}/:page`, 'console-missing', 'A page that does not exist'),
    ],
  },
  builder: {
    title: 'The builder of workbooks',
    screens: [
      screen(BUILDER, 'console-builder', 'The start: a sample file or a template'),
      screen(BUILDER, 'builder-fields', 'The fields of a sample file'),
      screen(BUILDER, 'builder-field', 'One field with a rule'),
      screen(BUILDER, 'builder-code', 'A workbook as code'),
      screen(BUILDER, 'builder-space', 'The space of a workbook and its look'),
      screen(BUILDER, 'builder-done', 'A space that is ready'),
      screen(BUILDER, 'builder-edit', 'The fields of a space with records'),
      screen(BUILDER, 'builder-changes', 'What a change of fields means for the records'),
    ],
  },
  embed: {
    title: 'The embedded importer',
    screens: [
      screen('/embed', 'importer', 'The importer as a wizard'),
      screen('/embed', 'importer-full', 'The importer with all pages'),
    ],
  },
  components: {
    title: 'All components',
    screens: [screen('/', 'components', 'Components'), screen('/', 'components-dark', 'Components in dark mode')],
  },
} as const satisfies Record<string, { title: string; screens: readonly Screen[] }>

export type Part = keyof typeof SCREENS

export const ALL_SCREENS: readonly Screen[] = Object.values(SCREENS).flatMap(({ screens }) => [...screens])

export const getFile = (name: string): string => `${FOLDER}/${name}.webp`
