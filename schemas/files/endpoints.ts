/** Schemas and endpoints of files, whose bytes are in S3. */
import * as z from 'zod'
import { Actions } from '../actions/shape.ts'
import { FILE_BODY_BYTES } from '../kit/byte-limits.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Id, scoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { data, paged, pageQuery, Success } from '../kit/page.ts'
import { message } from '../messages/index.ts'
import {
  File,
  FileDescription,
  FileMode,
  FileName,
  FileStatus,
  MAX_DETECTED_ROWS,
  MAX_FILE_BYTES,
  MAX_FILE_PASSWORD_LENGTH,
  Upload,
  UploadFields,
} from './shape.ts'

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

export const createUpload = endpoint({
  id: 'files.createUpload',
  method: 'POST',
  path: '/files/uploads',
  summary: 'Starts an upload directly to S3, for files up to 20 GB',
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
  summary: 'Lists the files of a space or of an environment, newest first',
  policy: { can: 'files:read', on: 'space', at: 'query.spaceId', optional: true },
  query: z.object({
    spaceId: scoped('space').optional(),
    environmentId: scoped('environment').optional(),
    mode: FileMode.default('import'),
    ...pageQuery(20),
  }),
  errors: ['not-found'],
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

export const unlock = endpoint({
  id: 'files.unlock',
  method: 'POST',
  path: '/files/{fileId}/unlock',
  summary: 'Decrypts a workbook that is protected by a password, and extracts it',
  description:
    'The decrypted workbook replaces the uploaded one, also for downloads. The password is not stored. A wrong one is a 422 and changes nothing; after 5 wrong passwords for a file, the next attempt has to wait.',
  policy: { can: 'files:write', on: 'file', at: idPath },
  params,
  body: z.object({ password: z.string().min(1).max(MAX_FILE_PASSWORD_LENGTH) }),
  reply: data(File),
  errors: ['conflict', 'unprocessable', 'too-many-requests'],
  example: { ...example, body: { password: 'harbour é' } },
})

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
          headerLines: z.number().int(),
          width: z.number().int(),
          rows: z.array(z.object({ row: z.number().int(), cells: z.array(z.string()) })),
        }),
      ),
    }),
  ),
  errors: ['conflict', 'unprocessable'],
  example,
})

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
