/** The public types of the importer: its element and this package have the same options, events and results. */

export type ImporterTheme = Partial<
  Record<
    'accent' | 'accent-strong' | 'on-accent' | 'page' | 'surface' | 'text' | 'muted' | 'line' | 'radius' | 'font',
    string
  >
>

export interface ImporterFont {
  family: string
  /** A font file. The page loads it and passes it to the importer. */
  url: string
  weight?: string
  style?: string
}

export interface ImporterSpace {
  id: string
  accessToken: string
}

export interface ImporterOptions {
  publishableKey?: string
  space?: ImporterSpace
  /** Address of the platform; by default that of the script. */
  url?: string
  spaceName?: string
  /** `metadata.blueprint` of the space, for the listener or agent that configures it. */
  blueprint?: unknown
  metadata?: Record<string, unknown>
  theme?: ImporterTheme
  fonts?: readonly ImporterFont[]
  /** By default, that of the theme's `surface` or `page`, otherwise that of the operating system. */
  colorScheme?: 'light' | 'dark' | 'system'
  language?: string
  /** `wizard` shows only the steps of the import, without the sidebar. */
  mode?: 'full' | 'wizard'
  /** The importer stays open after a primary action is completed. */
  stayOpen?: boolean
}

export interface RecordCounts {
  total: number
  valid: number
  error: number
}

export interface SubmittedSheet {
  id: string
  name: string
  slug: string
  counts: RecordCounts
}

export interface SubmittedRecord {
  id: string
  valid: boolean
  values: Record<string, unknown>
}

export interface RecordsPage {
  sheet: SubmittedSheet
  records: SubmittedRecord[]
}

export interface RecordsOptions {
  /** Slug or id; by default all submitted sheets. */
  sheet?: string
  /** At most 10,000; by default 1,000. */
  pageSize?: number
}

export interface Submission {
  spaceId: string
  jobId: string
  operation: string
  counts: RecordCounts
  sheets: SubmittedSheet[]
  /** Reads the records page by page. */
  records(options?: RecordsOptions): AsyncGenerator<RecordsPage, void>
}

export interface ImporterFailure {
  /** `blocked`: by the page's content security policy. `frame`: the importer's page did not load. */
  code: 'network' | 'key' | 'origin' | 'blocked' | 'frame' | 'server'
  message: string
}

export type ImporterResult =
  | ({ status: 'submitted' } & Submission)
  | { status: 'closed'; spaceId?: string; error?: ImporterFailure }

export interface ImporterEvents {
  submitted: Submission
  closed: { spaceId?: string }
  error: ImporterFailure
}

export type ImporterListeners = { [Name in keyof ImporterEvents]?: (detail: ImporterEvents[Name]) => void }

export interface ImporterElement {
  /** Replaces all options and listeners. Takes effect when the importer is opened the next time. */
  configure(options: ImporterOptions, listeners?: ImporterListeners): void
  /** Resolves when the importer is closed and no submission is running. Never rejects. */
  open(): Promise<ImporterResult>
  close(): void
}

export interface ImporterModule {
  createImporter(options: ImporterOptions, listeners?: ImporterListeners): ImporterElement
}
