/** The metadata of a table, version 2 of Iceberg's format: https://iceberg.apache.org/spec/#table-metadata */
import * as z from 'zod'
import { MAX_SNAPSHOTS_PER_TABLE } from '../../schemas/sheets/shape.ts'
import type { TableColumn } from './schema.ts'

const Snapshot = z.looseObject({ 'snapshot-id': z.number(), 'timestamp-ms': z.number() })
const Column = z.object({
  id: z.number(),
  name: z.string(),
  required: z.literal(false),
  type: z.enum(['string', 'double', 'boolean', 'date']),
})
const Schema = z.object({ type: z.literal('struct'), 'schema-id': z.number(), fields: z.array(Column) })
export const TableMetadata = z.looseObject({
  'table-uuid': z.string(),
  'last-sequence-number': z.number(),
  'last-column-id': z.number(),
  'current-schema-id': z.number(),
  schemas: z.array(Schema),
  snapshots: z.array(Snapshot),
})
export type TableMetadata = z.infer<typeof TableMetadata>

export interface NewSnapshot {
  id: number
  at: Date
  manifestList: string
  commitId: string | undefined
  columns: readonly TableColumn[]
  rows: number
  files: number
}

export function addSnapshot(
  earlier: TableMetadata | undefined,
  table: { uuid: string; location: string },
  { id, at, manifestList, commitId, columns, rows, files }: NewSnapshot,
): TableMetadata {
  const schemas = addSchema(earlier?.schemas ?? [], columns)
  const schemaId = schemas.at(-1)!['schema-id']
  const snapshot = {
    'snapshot-id': id,
    ...(earlier ? { 'parent-snapshot-id': earlier['last-sequence-number'] } : {}),
    'sequence-number': id,
    'timestamp-ms': at.getTime(),
    'manifest-list': manifestList,
    summary: {
      operation: earlier ? 'overwrite' : 'append',
      'total-records': String(rows),
      'total-data-files': String(files),
      ...(commitId === undefined ? {} : { 'wharf.commit-id': commitId }),
    },
    'schema-id': schemaId,
  }
  const snapshots = [...(earlier?.snapshots ?? []), snapshot].slice(-MAX_SNAPSHOTS_PER_TABLE)
  return {
    'format-version': 2,
    'table-uuid': table.uuid,
    location: table.location,
    'last-sequence-number': id,
    'last-updated-ms': at.getTime(),
    'last-column-id': Math.max(earlier?.['last-column-id'] ?? 0, ...columns.map((column) => column.id)),
    'current-schema-id': schemaId,
    schemas,
    'default-spec-id': 0,
    'partition-specs': [{ 'spec-id': 0, fields: [] }],
    'last-partition-id': 999,
    'default-sort-order-id': 0,
    'sort-orders': [{ 'order-id': 0, fields: [] }],
    properties: {},
    'current-snapshot-id': id,
    refs: { main: { 'snapshot-id': id, type: 'branch' } },
    snapshots,
    'snapshot-log': snapshots.map((each) => ({
      'snapshot-id': each['snapshot-id'],
      'timestamp-ms': each['timestamp-ms'],
    })),
    'metadata-log': [],
  }
}

type StoredSchema = TableMetadata['schemas'][number]

function addSchema(earlier: readonly StoredSchema[], columns: readonly TableColumn[]): StoredSchema[] {
  const last = earlier.at(-1)
  if (last && JSON.stringify(last.fields) === JSON.stringify(columns)) return [...earlier]
  return [...earlier, { type: 'struct', 'schema-id': (last?.['schema-id'] ?? -1) + 1, fields: [...columns] }]
}
