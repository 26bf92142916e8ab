/** Manifests and manifest lists of Iceberg, version 2 of the format: https://iceberg.apache.org/spec/#manifests */
import avro from 'avsc'
import type { TableColumn } from './schema.ts'

export interface DataFile {
  path: string
  rows: number
  bytes: number
  /** The snapshot that added it. */
  addedBy: number
}

const field = (id: number, name: string, type: unknown) => ({ name, type, 'field-id': id })
const optional = (id: number, name: string, type: string) => ({ ...field(id, name, ['null', type]), default: null })

const DATA_FILE = {
  type: 'record',
  name: 'r2',
  fields: [
    field(134, 'content', 'int'),
    field(100, 'file_path', 'string'),
    field(101, 'file_format', 'string'),
    field(102, 'partition', { type: 'record', name: 'r102', fields: [] }),
    field(103, 'record_count', 'long'),
    field(104, 'file_size_in_bytes', 'long'),
  ],
}

const MANIFEST_ENTRY = {
  type: 'record',
  name: 'manifest_entry',
  fields: [
    field(0, 'status', 'int'),
    optional(1, 'snapshot_id', 'long'),
    optional(3, 'sequence_number', 'long'),
    optional(4, 'file_sequence_number', 'long'),
    field(2, 'data_file', DATA_FILE),
  ],
}

const LONGS = { added_rows_count: 512, existing_rows_count: 513, deleted_rows_count: 514 }
const COUNTS = { added_files_count: 504, existing_files_count: 505, deleted_files_count: 506 }

const MANIFEST_FILE = {
  type: 'record',
  name: 'manifest_file',
  fields: [
    field(500, 'manifest_path', 'string'),
    field(501, 'manifest_length', 'long'),
    field(502, 'partition_spec_id', 'int'),
    field(517, 'content', 'int'),
    field(515, 'sequence_number', 'long'),
    field(516, 'min_sequence_number', 'long'),
    field(503, 'added_snapshot_id', 'long'),
    ...Object.entries(COUNTS).map(([name, id]) => field(id, name, 'int')),
    ...Object.entries(LONGS).map(([name, id]) => field(id, name, 'long')),
  ],
}

const [EXISTING, ADDED] = [0, 1]
const DATA = 0

export const encodeManifest = (
  snapshotId: number,
  files: readonly DataFile[],
  { columns, schemaId }: { columns: readonly TableColumn[]; schemaId: number },
): Promise<Buffer> =>
  encodeContainer(
    MANIFEST_ENTRY,
    files.map(({ path, rows, bytes, addedBy }) => ({
      status: addedBy === snapshotId ? ADDED : EXISTING,
      snapshot_id: addedBy,
      sequence_number: addedBy,
      file_sequence_number: addedBy,
      data_file: {
        content: DATA,
        file_path: path,
        file_format: 'PARQUET',
        partition: {},
        record_count: rows,
        file_size_in_bytes: bytes,
      },
    })),
    {
      schema: JSON.stringify({ type: 'struct', 'schema-id': schemaId, fields: columns }),
      'schema-id': String(schemaId),
      'partition-spec': '[]',
      'partition-spec-id': '0',
      'format-version': '2',
      content: 'data',
    },
  )

export function encodeManifestList(
  snapshotId: number,
  files: readonly DataFile[],
  manifest: { path: string; bytes: number },
): Promise<Buffer> {
  const added = files.filter(({ addedBy }) => addedBy === snapshotId)
  const existing = files.filter(({ addedBy }) => addedBy !== snapshotId)
  const entry = {
    manifest_path: manifest.path,
    manifest_length: manifest.bytes,
    partition_spec_id: 0,
    content: DATA,
    sequence_number: snapshotId,
    min_sequence_number: files.reduce((first, { addedBy }) => Math.min(first, addedBy), snapshotId),
    added_snapshot_id: snapshotId,
    added_files_count: added.length,
    existing_files_count: existing.length,
    deleted_files_count: 0,
    added_rows_count: sumRows(added),
    existing_rows_count: sumRows(existing),
    deleted_rows_count: 0,
  }
  return encodeContainer(MANIFEST_FILE, [entry], { 'snapshot-id': String(snapshotId), 'format-version': '2' })
}

export const sumRows = (files: readonly DataFile[]): number => files.reduce((sum, { rows }) => sum + rows, 0)

async function encodeContainer(
  schema: object,
  records: readonly object[],
  metadata: Readonly<Record<string, string>>,
): Promise<Buffer> {
  const headers = Object.entries(metadata).map(([name, text]) => [name, Buffer.from(text)])
  const options = { metadata: Object.fromEntries(headers), writeHeader: true }
  const encoder = new avro.streams.BlockEncoder(schema as avro.Schema, options)
  for (const record of records) encoder.write(record)
  encoder.end()
  const pieces: Buffer[] = []
  for await (const piece of encoder) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}
