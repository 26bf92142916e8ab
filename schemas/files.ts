/** Files: what customers bring and what leaves; the bytes are in S3. */
import * as z from 'zod'
import { Actions } from './action.ts'
import { Empty, FileContext } from './context.ts'
import { endpoint } from './endpoint.ts'
import { Id, scoped, Time } from './ids.ts'
import { maybe } from './optional.ts'
import { data, paged, pageQuery, Success } from './page.ts'
import { FILE_BODY_BYTES } from './sizes.ts'
import { topic } from './topic.ts'

/** A file has at most this many bytes. */
export const FILE_BYTES = 1024 * 1024 * 1024
/** Above this many bytes a presigned upload goes in parts. */
export const SINGLE_UPLOAD_BYTES = 100 * 1024 * 1024
/** An upload that is not completed in so many hours is given up. */
export const UPLOAD_HOURS = 24
/** Each part but the last has this many bytes. */
export const UPLOAD_PART_BYTES = 64 * 1024 * 1024

/** An archive, and a workbook that is one, has at most this many entries. */
export const ARCHIVE_ENTRIES = 1000
/** An entry of an archive, unpacked, has at most this many bytes. */
export const ENTRY_BYTES = 2 * 1024 * 1024 * 1024
/** All entries of an archive together, unpacked. */
export const ARCHIVE_BYTES = 4 * 1024 * 1024 * 1024
/** Past so many bytes nothing unpacks to more than this many times its size: small things of one letter are harmless. */
export const RATIO_FROM_BYTES = 100 * 1024
export const UNPACKED_RATIO = 100
/** The texts a workbook's cells share have together at most this many bytes: they are kept on disk beside the function. */
export const SHARED_TEXT_BYTES = 400 * 1024 * 1024
/** Workbooks within an archive have together at most this many bytes, as they are packed: they are kept on the same disk. */
export const NESTED_BYTES = 100 * 1024 * 1024
/** Cells that a sheet's merged cells are filled into at most, where a job asks for it. */
export const MERGED_CELLS = 1_000_000
/** JSON and XML are nested at most this deep. */
export const NESTED_LEVELS = 20
/** A file becomes at most this many sheets: as many as are created in one call. */
export const TABLES_PER_FILE = 40

export const FileStatus = z.enum(['partial', 'analyzing', 'analyzed', 'complete', 'archived', 'purged', 'failed'])
export const FileMode = z.enum(['import', 'export'])

export const File = z.object({
  id: Id,
  name: z.string(),
  description: z.string().optional(),
  ext: z.string(),
  mimetype: z.string(),
  encoding: z.string(),
  /** `partial` until every byte is there, `analyzing` while it is extracted, then `complete` or `failed`. */
  status: FileStatus,
  /** Why the file is `failed`. */
  statusReason: z.string().optional(),
  mode: FileMode,
  /** Bytes. */
  size: z.number().int(),
  bytesReceived: z.number().int(),
  spaceId: Id,
  environmentId: Id,
  workbookId: Id.optional(),
  sheetId: Id.optional(),
  actions: Actions.optional(),
  origin: z.string().optional(),
  /** A retention policy hid it; it is removed in a while. */
  expiredAt: Time.optional(),
  createdAt: Time,
  updatedAt: Time,
})
export type File = z.infer<typeof File>

/** Unicode's bidirectional controls: with them `x<U+202E>gnp.exe` reads as `xexe.png`. */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/** A name as file systems take it. */
export const FileName = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .refine((name) => !/[/\\\p{Cc}]/u.test(name), 'may not contain slashes or control characters')
  .refine((name) => !TURNS.test(name), 'may not contain characters that change the direction of writing')

const Description = z.string().max(5000)

/** The fields of the multipart form beside the file itself. */
export const UploadFields = z.object({
  spaceId: scoped('space'),
  environmentId: scoped('environment').optional(),
  mode: FileMode.default('import'),
  description: Description.optional(),
  actions: Actions.optional(),
  origin: z.string().optional(),
})

export const create = endpoint({
  id: 'files.create',
  method: 'POST',
  path: '/files',
  summary: 'Uploads a file as multipart/form-data',
  description:
    'Fields may come before or after the part `file`. Lambda takes bodies of at most 6 MB: larger files go by `POST /files/uploads`.',
  policy: { can: 'files:write', on: 'environments' },
  bodyType: 'multipart',
  body: z.object({ ...UploadFields.shape, file: z.string().meta({ format: 'binary' }) }),
  reply: data(File),
  errors: ['too-large', 'not-found'],
  bodyBytes: FILE_BODY_BYTES,
  example: { note: 'curl -F spaceId={spaceId} -F environmentId={environmentId} -F file=@people.csv' },
})

export const Upload = z.discriminatedUnion('type', [
  z.object({ type: z.literal('single'), method: z.literal('PUT'), url: z.string(), expiresAt: Time }),
  z.object({
    type: z.literal('multipart'),
    method: z.literal('PUT'),
    /** Bytes of each part but the last. */
    partSize: z.number().int(),
    parts: z.array(z.object({ partNumber: z.number().int(), url: z.string() })),
    expiresAt: Time,
  }),
])
export type Upload = z.infer<typeof Upload>

export const createUpload = endpoint({
  id: 'files.createUpload',
  method: 'POST',
  path: '/files/uploads',
  summary: 'Begins an upload straight to S3, for files up to 1 GB',
  description:
    'PUT the bytes to the given address (or part by part), then call `POST /files/{fileId}/complete`. An upload is given up by deleting its file.',
  policy: { can: 'files:write', on: 'space', at: 'body.spaceId' },
  body: z.object({
    spaceId: scoped('space'),
    name: FileName,
    size: z.number().int().min(1).max(FILE_BYTES, `a file may have at most ${FILE_BYTES} bytes`),
    mimetype: maybe(z.string().max(255)),
    mode: FileMode.default('import'),
    description: maybe(Description),
    actions: maybe(Actions),
    origin: maybe(z.string()),
  }),
  reply: data(z.object({ file: File, upload: Upload })),
  example: { body: { spaceId: '{spaceId}', name: 'people.csv', size: 1048576 } },
})

export const listed = endpoint({
  id: 'files.list',
  method: 'GET',
  path: '/files',
  summary: 'Lists files, newest first',
  policy: { can: 'files:read', on: 'space', at: 'query.spaceId', optional: true },
  query: z.object({ spaceId: scoped('space').optional(), mode: FileMode.default('import'), ...pageQuery(20) }),
  reply: paged(File),
  example: { query: { spaceId: '{spaceId}' } },
})

const params = z.object({ fileId: Id })
const at = 'params.fileId'
const example = { params: { fileId: '{fileId}' } }

export const completeUpload = endpoint({
  id: 'files.completeUpload',
  method: 'POST',
  path: '/files/{fileId}/complete',
  summary: 'Ends an upload: the size is checked, then the file is there',
  policy: { can: 'files:write', on: 'file', at },
  params,
  body: z.object({
    parts: maybe(
      z.array(z.object({ partNumber: z.number().int().min(1).max(10_000), etag: z.string().min(1) })).max(10_000),
    ),
  }),
  bodyOptional: true,
  reply: data(File),
  errors: ['conflict', 'unprocessable'],
  example,
})
export const get = endpoint({
  id: 'files.get',
  method: 'GET',
  path: '/files/{fileId}',
  summary: 'Reads what is known of a file',
  policy: { can: 'files:read', on: 'file', at },
  params,
  reply: data(File),
  example,
})
export const update = endpoint({
  id: 'files.update',
  method: 'PATCH',
  path: '/files/{fileId}',
  summary: 'Changes a file: its name, description, status, workbook or actions',
  description:
    'The status of a file that is still being uploaded cannot be changed. A `statusReason` is taken with `status` `failed` and ends with it.',
  policy: { can: 'files:write', on: 'file', at },
  params,
  body: z.object({
    name: maybe(FileName),
    description: maybe(Description),
    mode: maybe(FileMode),
    status: maybe(FileStatus.exclude(['partial'])),
    /** Of an extractor that gives up: with `status` `failed`. */
    statusReason: maybe(z.string().max(1000)),
    workbookId: maybe(scoped('workbook')),
    actions: maybe(Actions),
  }),
  bodyOptional: true,
  reply: data(File),
  example: { ...example, body: { name: 'guests.txt' } },
})
export const remove = endpoint({
  id: 'files.remove',
  method: 'DELETE',
  path: '/files/{fileId}',
  summary: 'Deletes a file with its bytes',
  policy: { can: 'files:write', on: 'file', at },
  params,
  reply: Success,
  example,
})
export const download = endpoint({
  id: 'files.download',
  method: 'GET',
  path: '/files/{fileId}/download',
  summary: 'Reads the bytes, or a range of them; many at once by a redirect to S3',
  description:
    'The header `Range: bytes=0-99` asks for a range: it is answered by a 206, by a 416 where the file has no such bytes.',
  policy: { can: 'files:read', on: 'file', at },
  params,
  reply: 'bytes',
  errors: ['conflict'],
  replyTypes: ['*/*'],
  also: ['large', 'range'],
  example,
})

export const clone = endpoint({
  id: 'files.clone',
  method: 'POST',
  path: '/files/{fileId}/clone',
  summary: 'Copies a file with its bytes; the copy is a new file, extracted like any other',
  policy: { can: 'files:write', on: 'file', at },
  params,
  body: z.object({
    /** Put before the name; `Copy of ` unless told. */
    prefix: maybe(z.string().max(100)),
  }),
  bodyOptional: true,
  reply: data(File),
  errors: ['conflict'],
  example,
})

/** Of the beginning of a file: rows and columns of each table, characters of each cell. */
export const BEGINNING = { rows: 30, columns: 20, characters: 60 }
/** Workbooks of more bytes are not looked into while somebody waits. */
export const BEGINNING_BYTES = 32 * 1024 * 1024

export const beginning = endpoint({
  id: 'files.beginning',
  method: 'GET',
  path: '/files/{fileId}/beginning',
  summary: 'Shows how a file begins and how an extraction would read it: delimited text and workbooks',
  description:
    'For who is to choose the row that names the columns (`detectedHeaderRow` and `options` of a job `file:extract`). Long cells are cut.',
  policy: { can: 'files:read', on: 'file', at },
  params,
  query: z.object({
    /** In place of what is found, as in the options of the job. */
    delimiter: maybe(z.string().length(1)),
    encoding: maybe(z.string().max(40)),
  }),
  reply: data(
    z.object({
      /** Others say themselves what their columns are: they have no tables here. */
      kind: z.enum(['text', 'workbook', 'other']),
      /** Of text. */
      encoding: z.string().optional(),
      delimiter: z.string().optional(),
      tables: z.array(
        z.object({
          /** Of the sheet. */
          name: z.string().optional(),
          /** The row that would name the columns, from 1; 0 for none. */
          headerRow: z.number().int(),
          /** Columns there are. */
          width: z.number().int(),
          rows: z.array(z.object({ row: z.number().int(), cells: z.array(z.string()) })),
        }),
      ),
    }),
  ),
  errors: ['conflict', 'unprocessable'],
  example,
})

/** Rows and cells of one call. */
export const DETECTED_ROWS = 1000

const HeaderDetection = z.object({
  /**
   * `default` and `aiDetection`: by what the rows look like; `explicitHeaders`: `headers` are the header; `specificRows`:
   * `rowNumbers` (from 0) together; `dataRowAndSubHeaderDetection`: all rows above the first one of data, together.
   */
  algorithm: z.enum(['default', 'aiDetection', 'explicitHeaders', 'specificRows', 'dataRowAndSubHeaderDetection']),
  rowsToSearch: maybe(z.number().int().min(1).max(DETECTED_ROWS)),
  /** Rows before the data, where the header is told. */
  skip: maybe(z.number().int().min(0)),
  headers: maybe(z.array(z.string())),
  rowNumbers: maybe(z.array(z.number().int().min(0)).min(1)),
})
export type HeaderDetection = z.infer<typeof HeaderDetection>

export const detectHeader = endpoint({
  id: 'files.detectHeader',
  method: 'POST',
  path: '/files/detect-header',
  summary: 'Finds the row that names the columns among the first rows of a table',
  policy: { can: 'files:read', on: 'environments' },
  body: z.object({ options: HeaderDetection, data: z.array(z.array(z.string())).max(DETECTED_ROWS) }),
  reply: data(
    z.object({
      header: z.array(z.string()),
      /** Rows up to the header and with it: those of data come after. */
      headerRow: z.number().int(),
      /** Of the columns, as in spreadsheets. */
      letters: z.array(z.string()),
    }),
  ),
  example: { body: { options: { algorithm: 'default' }, data: [['name'], ['Ada']] } },
})

export const created = topic('file:created', {
  when: 'a file is there, with every byte',
  payload: Empty,
  context: FileContext,
})
export const updated = topic('file:updated', {
  when: 'a file is changed, for example extracted into a workbook',
  payload: z.object({ status: FileStatus, workbookId: Id.optional() }),
  context: FileContext,
})
export const deleted = topic('file:deleted', { when: 'a file is deleted', payload: Empty, context: FileContext })
export const expired = topic('file:expired', {
  when: 'a data retention policy makes a file due',
  payload: Empty,
  context: FileContext,
})
