/** The resources that expire (spaces, workbooks, files): how to find, expire, restore and delete them. */
import * as files from '../../schemas/files/events.ts'
import * as spaces from '../../schemas/spaces/events.ts'
import * as workbooks from '../../schemas/workbooks/events.ts'
import { Files, fileContext, type StoredFile } from '../entities/files.ts'
import { Spaces, type StoredSpace, spaceContext, spaceNamespaces } from '../entities/spaces.ts'
import { type StoredWorkbook, Workbooks, workbookContext } from '../entities/workbooks.ts'
import { removeFile } from '../files/upload.ts'
import type { Tx } from '../tx.ts'
import { buildEndContext, removeSpace, removeWorkbook } from '../workbooks/remove.ts'
import { wasFileUsedSince, wasSpaceUsedSince, wasWorkbookUsedSince } from './activity.ts'

export interface Expiring {
  id: string
  environmentId: string
  createdAt: string
  expiredAt?: string | undefined
}

/** The functions write to the transaction and emit events, but do not commit. */
export interface ExpiringKind<T extends Expiring = Expiring> {
  get(id: string): Promise<T | undefined>
  listPage(environmentId: string, after: string | undefined): Promise<T[]>
  wasUsedSince(resource: T, time: string): Promise<boolean>
  expire(tx: Tx, resource: T): void | Promise<void>
  restore(tx: Tx, resource: T): void
  remove(tx: Tx, resource: T): void | Promise<void>
}

const PAGE_SIZE = 100
const pageOptions = (after: string | undefined) =>
  ({ order: 'asc', limit: PAGE_SIZE, ...(after === undefined ? {} : { after }) }) as const

const unexpiredChange = ({ expiredAt }: Expiring) => ({
  field: 'expiredAt',
  previousValue: expiredAt ?? null,
  newValue: null,
})

const space: ExpiringKind<StoredSpace> = {
  get: Spaces.get,
  listPage: (environmentId, after) => Spaces.list('inEnvironment', { environmentId }, pageOptions(after)),
  wasUsedSince: wasSpaceUsedSince,
  async expire(tx, resource) {
    const context = await buildEndContext(resource)
    tx.write(Spaces.replace(resource, { ...resource, expiredAt: tx.now }))
    tx.emit(spaces.expired, context, {}, { namespaces: spaceNamespaces(resource) })
  },
  restore(tx, resource) {
    const { expiredAt: _, ...active } = resource
    tx.write(Spaces.replace(resource, active))
    const { id: spaceId, environmentId } = resource
    const payload = { spaceId, environmentId, changes: [unexpiredChange(resource)] }
    tx.emit(spaces.updated, spaceContext(resource), payload, { namespaces: spaceNamespaces(resource) })
  },
  remove: removeSpace,
}

const workbook: ExpiringKind<StoredWorkbook> = {
  get: Workbooks.get,
  listPage: (environmentId, after) => Workbooks.list('inEnvironment', { environmentId }, pageOptions(after)),
  wasUsedSince: wasWorkbookUsedSince,
  expire(tx, resource) {
    tx.write(Workbooks.replace(resource, { ...resource, expiredAt: tx.now }))
    const { id: workbookId, spaceId, namespaces = [] } = resource
    tx.emit(workbooks.expired, workbookContext(resource), { workbookId, spaceId }, { namespaces })
  },
  restore(tx, resource) {
    const { expiredAt: _, ...active } = resource
    tx.write(Workbooks.replace(resource, active))
    const changes = [{ type: 'config_updated' as const, details: unexpiredChange(resource) }]
    const { id: workbookId, spaceId, namespaces = [] } = resource
    tx.emit(workbooks.updated, workbookContext(resource), { workbookId, spaceId, changes }, { namespaces })
  },
  remove: removeWorkbook,
}

const file: ExpiringKind<StoredFile> = {
  get: Files.get,
  listPage: (environmentId, after) => Files.list('inEnvironment', { environmentId }, pageOptions(after)),
  wasUsedSince: wasFileUsedSince,
  expire(tx, resource) {
    tx.write(Files.replace(resource, { ...resource, expiredAt: tx.now }))
    tx.emit(files.expired, fileContext(resource), {}, { namespaces: resource.namespaces ?? [] })
  },
  restore(tx, resource) {
    const { expiredAt: _, ...active } = resource
    const { status, workbookId, namespaces = [] } = active
    tx.write(Files.replace(resource, active))
    tx.emit(files.updated, fileContext(resource), { status, ...(workbookId ? { workbookId } : {}) }, { namespaces })
  },
  remove: removeFile,
}

export const KINDS = { space, workbook, file }
