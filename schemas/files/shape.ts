import * as z from 'zod'
import { Actions } from '../actions/shape.ts'
import { Id, scoped, Time } from '../kit/ids.ts'
import { message } from '../messages/index.ts'

export const MAX_FILE_BYTES = 20 * 1024 * 1024 * 1024
/** Larger files are read in ranges, which only delimited text in UTF-8 allows. */
export const MAX_UNDIVIDED_BYTES = 1024 * 1024 * 1024
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
export const MAX_PARQUET_FOOTER_BYTES = 16 * 1024 * 1024
export const MAX_PARQUET_BUFFER_BYTES = 512 * 1024 * 1024
export const MAX_ARROW_METADATA_BYTES = 16 * 1024 * 1024
export const MAX_ARROW_BUFFER_BYTES = 512 * 1024 * 1024
export const MAX_MERGED_CELLS = 1_000_000
export const MAX_REPEATED_CELL_BYTES = 400 * 1024 * 1024
export const MAX_NESTING_LEVELS = 20
export const MAX_XLS_BYTES = 100 * 1024 * 1024
/** Encrypted workbooks are decrypted in memory, within the time of a request. */
export const MAX_PROTECTED_BYTES = 50 * 1024 * 1024
export const MAX_UNLOCKED_BYTES = 400 * 1024 * 1024
export const MAX_PASSWORD_ROUNDS = 500_000
/** The memory of Argon2 times its rounds. LibreOffice writes 3 times 64 MiB. */
export const MAX_ARGON2_KIBIBYTES = 512 * 1024
export const MAX_FILE_PASSWORD_LENGTH = 255
export const MAX_HTML_BYTES = 50 * 1024 * 1024
export const MAX_COMMENTS_PER_SHEET = 100_000
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
  passwordRequired: z.boolean().optional(),
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

export const FileDescription = z.string().max(5000)

export const UploadFields = z.object({
  spaceId: scoped('space'),
  environmentId: scoped('environment').optional(),
  mode: FileMode.default('import'),
  description: FileDescription.optional(),
  actions: Actions.optional(),
  origin: z.string().optional(),
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

export const PREVIEW_LIMITS = { rows: 30, columns: 20, characters: 60 }
/** Larger workbooks take too long for a request. */
export const MAX_PREVIEW_BYTES = 32 * 1024 * 1024

export const MAX_DETECTED_ROWS = 1000
