/** What expires (spaces, workbooks, files): how each is found, told of as expired, brought back and removed. */
import * as files from '../../schemas/files.ts'
import * as spaces from '../../schemas/spaces.ts'
import * as workbooks from '../../schemas/workbooks.ts'
import { Files, fileContext, type StoredFile } from '../entities/files.ts'
import { Spaces, type StoredSpace, spaceContext, spaceNamespaces } from '../entities/spaces.ts'
import { type StoredWorkbook, Workbooks, workbookContext } from '../entities/workbooks.ts'
import { removeFile } from '../files/upload.ts'
import type { Tx } from '../tx.ts'
import { endContext, removeSpace, removeWorkbook } from '../workbooks/remove.ts'
import { fileUsedSince, spaceUsedSince, workbookUsedSince } from './activity.ts'

/** What every thing that expires carries. */
export interface Expiring {
  id: string
  environmentId: string
  createdAt: string
  expiredAt?: string | undefined
}

/** One kind of things. Its functions write to the transaction and emit; they commit nothing. */
export interface ExpiringKind<T extends Expiring = Expiring> {
  get(id: string): Promise<T | undefined>
  /** The next things of the environment in the order of their creation; none at the end. */
  page(environmentId: string, after: string | undefined): Promise<T[]>
  usedSince(thing: T, time: string): Promise<boolean>
  expire(tx: Tx, thing: T): void | Promise<void>
  bringBack(tx: Tx, thing: T): void
  remove(tx: Tx, thing: T): void | Promise<void>
}

/** Things read at a time. */
const PAGE = 100
const inOrder = (after: string | undefined) =>
  ({ order: 'asc', limit: PAGE, ...(after === undefined ? {} : { after }) }) as const

/** The change an `*:updated` event tells of when a thing is back. */
const noLongerExpired = ({ expiredAt }: Expiring) => ({
  field: 'expiredAt',
  previousValue: expiredAt ?? null,
  newValue: null,
})

const space: ExpiringKind<StoredSpace> = {
  get: Spaces.get,
  page: (environmentId, after) => Spaces.list('inEnvironment', { environmentId }, inOrder(after)),
  usedSince: spaceUsedSince,
  async expire(tx, thing) {
    const context = await endContext(thing)
    tx.write(Spaces.replace(thing, { ...thing, expiredAt: tx.now }))
    tx.emit(spaces.expired, context, {}, { namespaces: spaceNamespaces(thing) })
  },
  bringBack(tx, thing) {
    const { expiredAt: _, ...active } = thing
    tx.write(Spaces.replace(thing, active))
    const { id: spaceId, environmentId } = thing
    const payload = { spaceId, environmentId, changes: [noLongerExpired(thing)] }
    tx.emit(spaces.updated, spaceContext(thing), payload, { namespaces: spaceNamespaces(thing) })
  },
  remove: removeSpace,
}

const workbook: ExpiringKind<StoredWorkbook> = {
  get: Workbooks.get,
  page: (environmentId, after) => Workbooks.list('inEnvironment', { environmentId }, inOrder(after)),
  usedSince: workbookUsedSince,
  expire(tx, thing) {
    tx.write(Workbooks.replace(thing, { ...thing, expiredAt: tx.now }))
    const { id: workbookId, spaceId, namespaces = [] } = thing
    tx.emit(workbooks.expired, workbookContext(thing), { workbookId, spaceId }, { namespaces })
  },
  bringBack(tx, thing) {
    const { expiredAt: _, ...active } = thing
    tx.write(Workbooks.replace(thing, active))
    const changes = [{ type: 'config_updated' as const, details: noLongerExpired(thing) }]
    const { id: workbookId, spaceId, namespaces = [] } = thing
    tx.emit(workbooks.updated, workbookContext(thing), { workbookId, spaceId, changes }, { namespaces })
  },
  remove: removeWorkbook,
}

const file: ExpiringKind<StoredFile> = {
  get: Files.get,
  page: (environmentId, after) => Files.list('inEnvironment', { environmentId }, inOrder(after)),
  usedSince: fileUsedSince,
  expire(tx, thing) {
    tx.write(Files.replace(thing, { ...thing, expiredAt: tx.now }))
    tx.emit(files.expired, fileContext(thing), {}, { namespaces: thing.namespaces ?? [] })
  },
  bringBack(tx, thing) {
    const { expiredAt: _, ...active } = thing
    const { status, workbookId, namespaces = [] } = active
    tx.write(Files.replace(thing, active))
    tx.emit(files.updated, fileContext(thing), { status, ...(workbookId ? { workbookId } : {}) }, { namespaces })
  },
  remove: removeFile,
}

export const KINDS = { space, workbook, file }
