/** Schemas and endpoints of files, whose bytes are in S3. */

import * as z from 'zod'
import { Actions } from './action.ts'
import { Empty, FileContext } from './context.ts'
import { endpoint } from './endpoint.ts'
import { Id, scoped, Time } from './ids.ts'
import { message } from './messages/index.ts'
import { nullish } from './nullish.ts'
import { data, paged, pageQuery, Success } from './page.ts'
import { FILE_BODY_BYTES } from './sizes.ts'
import { topic } from './topic.ts'

export const MAX_FILE_BYTES = 1024 * 1024 * 1024
export const MAX_SINGLE_UPLOAD_BYTES = 100 * 1024 * 1024
/** Incomplete uploads are deleted after this time. */
export const UPLOAD_HOURS = 24
export const UPLOAD_PART_BYTES = 64 * 1024 * 1024

export const MAX_ENTRIES_PER_ARCHIVE = 1000
export const MAX_ENTRY_BYTES = 2 * 1024 * 1024 * 1024
export const MAX_ARCHIVE_BYTES = 4 * 1024 * 1024 * 1024
/** Protects against decompression bombs; small files are exempt. */
export const UNCHECKED_RATIO_BYTES = 100 * 1024
export const MAX_COMPRESSION_RATIO = 100
/** Limited by the disk of the function. */
export const MAX_SHARED_TEXT_BYTES = 400 * 1024 * 1024
export const MAX_NESTED_WORKBOOK_BYTES = 100 * 1024 * 1024
export const MAX_MERGED_CELLS = 1_000_000
export const MAX_NESTING_LEVELS = 20
/** All sheets of a file are created in one call. */
export const MAX_TABLES_PER_FILE = 40

export const FileStatus = z.enum(['partial', 'analyzing', 'analyzed', 'complete', 'archived', 'purged', 'failed'])
export const FileMode = z.enum(['import', 'export'])

export const File = z.object({
  id: Id,
  name: z.string(),
  description: z.string().optional(),
  ext: z.string(),
  mimetype: z.string(),
  encoding: z.string(),
  status: FileStatus,
  statusReason: z.string().optional(),
  mode: FileMode,
  size: z.number().int(),
  bytesReceived: z.number().int(),
  spaceId: Id,
  environmentId: Id,
  workbookId: Id.optional(),
  sheetId: Id.optional(),
  actions: Actions.optional(),
  origin: z.string().optional(),
  expiredAt: Time.optional(),
  createdAt: Time,
  updatedAt: Time,
})
export type File = z.infer<typeof File>

/** Bidirectional control characters: they make `x<U+202E>gnp.exe` look like `xexe.png`. */
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

export const FileName = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .refine((name) => !/[/\\\p{Cc}]/u.test(name), message('files.nameHasSlashes'))
  .refine((name) => !BIDI_CONTROLS.test(name), message('files.nameHasBidi'))

const FileDescription = z.string().max(5000)

export const UploadFields = z.object({
  spaceId: scoped('space'),
  environmentId: scoped('environment').optional(),
  mode: FileMode.default('import'),
  description: FileDescription.optional(),
  actions: Actions.optional(),
  origin: z.string().optional(),
})

export const create = endpoint({
  id: 'files.create',
  method: 'POST',
  path: '/files',
  summary: 'Uploads a file as multipart/form-data',
  description:
    'Fields can be sent before or after the part `file`. Lambda limits bodies to 6 MB: upload larger files with `POST /files/uploads`.',
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
  summary: 'Starts an upload directly to S3, for files up to 1 GB',
  description:
    'PUT the bytes to the returned URL (or part by part), then call `POST /files/{fileId}/complete`. To cancel an upload, delete its file.',
  policy: { can: 'files:write', on: 'space', at: 'body.spaceId' },
  body: z.object({
    spaceId: scoped('space'),
    name: FileName,
    size: z
      .number()
      .int()
      .min(1)
      .max(MAX_FILE_BYTES, message('files.exceedsBytes', { count: MAX_FILE_BYTES })),
    mimetype: nullish(z.string().max(255)),
    mode: FileMode.default('import'),
    description: nullish(FileDescription),
    actions: nullish(Actions),
    origin: nullish(z.string()),
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
const idPath = 'params.fileId'
const example = { params: { fileId: '{fileId}' } }

export const completeUpload = endpoint({
  id: 'files.completeUpload',
  method: 'POST',
  path: '/files/{fileId}/complete',
  summary: 'Completes an upload after checking its size',
  policy: { can: 'files:write', on: 'file', at: idPath },
  params,
  body: z.object({
    parts: nullish(
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
  summary: 'Reads the metadata of a file',
  policy: { can: 'files:read', on: 'file', at: idPath },
  params,
  reply: data(File),
  example,
})
export const update = endpoint({
  id: 'files.update',
  method: 'PATCH',
  path: '/files/{fileId}',
  summary: 'Updates the name, description, status, workbook or actions of a file',
  description:
    'The status cannot be changed while the file is uploading. `statusReason` is only accepted with the status `failed` and is removed with it.',
  policy: { can: 'files:write', on: 'file', at: idPath },
  params,
  body: z.object({
    name: nullish(FileName),
    description: nullish(FileDescription),
    mode: nullish(FileMode),
    status: nullish(FileStatus.exclude(['partial'])),
    statusReason: nullish(z.string().max(1000)),
    workbookId: nullish(scoped('workbook')),
    actions: nullish(Actions),
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
  policy: { can: 'files:write', on: 'file', at: idPath },
  params,
  reply: Success,
  example,
})
export const download = endpoint({
  id: 'files.download',
  method: 'GET',
  path: '/files/{fileId}/download',
  summary: 'Downloads a file or a byte range; large responses redirect to S3',
  description:
    'To request a range, send the header `Range: bytes=0-99`. The response is 206, or 416 if the file has no such bytes.',
  policy: { can: 'files:read', on: 'file', at: idPath },
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
  summary: 'Copies a file; the copy is extracted like any other file',
  policy: { can: 'files:write', on: 'file', at: idPath },
  params,
  body: z.object({
    prefix: nullish(z.string().max(100)),
  }),
  bodyOptional: true,
  reply: data(File),
  errors: ['conflict'],
  example,
})

export const PREVIEW_LIMITS = { rows: 30, columns: 20, characters: 60 }
/** Larger workbooks take too long for a request. */
export const MAX_PREVIEW_BYTES = 32 * 1024 * 1024

export const preview = endpoint({
  id: 'files.preview',
  method: 'GET',
  path: '/files/{fileId}/preview',
  summary: 'Previews a file and how it would be extracted, for delimited text and workbooks',
  description:
    'For choosing the header row (`detectedHeaderRow` and `options` of a `file:extract` job). Long cells are truncated.',
  policy: { can: 'files:read', on: 'file', at: idPath },
  params,
  query: z.object({
    delimiter: nullish(z.string().length(1)),
    encoding: nullish(z.string().max(40)),
  }),
  reply: data(
    z.object({
      kind: z.enum(['text', 'workbook', 'other']),
      encoding: z.string().optional(),
      delimiter: z.string().optional(),
      tables: z.array(
        z.object({
          name: z.string().optional(),
          /** Starts at 1; 0 means that there is no header row. */
          headerRow: z.number().int(),
          width: z.number().int(),
          rows: z.array(z.object({ row: z.number().int(), cells: z.array(z.string()) })),
        }),
      ),
    }),
  ),
  errors: ['conflict', 'unprocessable'],
  example,
})

export const MAX_DETECTED_ROWS = 1000

const HeaderDetection = z.object({
  /**
   * `default`, `aiDetection`: detects the header. `specificRows`, `dataRowAndSubHeaderDetection`: may combine several
   * rows.
   */
  algorithm: z.enum(['default', 'aiDetection', 'explicitHeaders', 'specificRows', 'dataRowAndSubHeaderDetection']),
  rowsToSearch: nullish(z.number().int().min(1).max(MAX_DETECTED_ROWS)),
  /** Rows before the data, if the header is given. */
  skip: nullish(z.number().int().min(0)),
  headers: nullish(z.array(z.string())),
  rowNumbers: nullish(z.array(z.number().int().min(0)).min(1)),
})
export type HeaderDetection = z.infer<typeof HeaderDetection>

export const detectHeader = endpoint({
  id: 'files.detectHeader',
  method: 'POST',
  path: '/files/detect-header',
  summary: 'Detects the header row among the first rows of a table',
  policy: { can: 'files:read', on: 'environments' },
  body: z.object({ options: HeaderDetection, data: z.array(z.array(z.string())).max(MAX_DETECTED_ROWS) }),
  reply: data(
    z.object({
      header: z.array(z.string()),
      /** Number of rows up to and including the header. */
      headerRow: z.number().int(),
      letters: z.array(z.string()),
    }),
  ),
  example: { body: { options: { algorithm: 'default' }, data: [['name'], ['Ada']] } },
})

export const created = topic('file:created', {
  when: 'a file is uploaded completely',
  payload: Empty,
  context: FileContext,
})
export const updated = topic('file:updated', {
  when: 'a file is updated, for example extracted into a workbook',
  payload: z.object({ status: FileStatus, workbookId: Id.optional() }),
  context: FileContext,
})
export const deleted = topic('file:deleted', { when: 'a file is deleted', payload: Empty, context: FileContext })
export const expired = topic('file:expired', {
  when: 'a file expires by a data retention policy',
  payload: Empty,
  context: FileContext,
})
