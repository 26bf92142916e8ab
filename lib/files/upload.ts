/** Creates files, either in one request or by an upload directly to S3 that is completed later. */

import * as files from '../../schemas/files/events.ts'
import {
  type File,
  FileName,
  MAX_FILE_BYTES,
  MAX_SINGLE_UPLOAD_BYTES,
  UPLOAD_PART_BYTES,
  type Upload,
} from '../../schemas/files/shape.ts'
import { HOUR_SECONDS } from '../../schemas/kit/time.ts'
import { message } from '../../schemas/messages/index.ts'
import { conflict, invalidField, tooLarge, unprocessable } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { Files, fileContext, type NewFile, type StoredFile } from '../entities/files.ts'
import { type StoredSpace, spaceNamespaces } from '../entities/spaces.ts'
import {
  abortMultipart,
  completeMultipart,
  copyObject,
  createMultipart,
  deleteObject,
  headObject,
  presignPart,
  presignPut,
  putObject,
} from '../objects/store.ts'
import type { Tx } from '../tx.ts'
import { getExtension, getMediaType } from './file-types.ts'

const UPLOAD_SECONDS = HOUR_SECONDS

export interface FileConfig {
  name: string
  mimetype?: string | undefined
  mode: 'import' | 'export'
  actions?: File['actions'] | undefined
  origin?: string | undefined
  description?: string | undefined
}

export const buildObjectKey = (location: { environmentId: string; spaceId: string; fileId: string }): string =>
  `files/${location.environmentId}/${location.spaceId}/${location.fileId}`

/** Decrypted bytes have another key: until the commit, the file still has the size of the encrypted ones. */
export const buildUnlockedKey = (location: Parameters<typeof buildObjectKey>[0]): string =>
  `${buildObjectKey(location)}.unlocked`

function buildFile(tx: Tx, space: StoredSpace, config: FileConfig, size: number, id = newId('file')): NewFile {
  return {
    id,
    name: config.name,
    ext: getExtension(config.name),
    mimetype: getMediaType(config.name, config.mimetype),
    encoding: '7bit',
    status: 'partial',
    mode: config.mode,
    size,
    bytesReceived: 0,
    spaceId: space.id,
    environmentId: space.environmentId,
    accountId: space.accountId,
    ...(config.actions ? { actions: config.actions } : {}),
    ...(config.origin ? { origin: config.origin } : {}),
    ...(config.description ? { description: config.description } : {}),
    objectKey: buildObjectKey({ environmentId: space.environmentId, spaceId: space.id, fileId: id }),
    createdBy: tx.actor.actorId,
    namespaces: spaceNamespaces(space),
    createdAt: tx.now,
    updatedAt: tx.now,
  }
}

const emitCreated = (tx: Tx, file: NewFile) =>
  void tx.emit(files.created, fileContext(file), {}, { namespaces: file.namespaces ?? [] })

/** Stores the bytes before the item: a crash leaves an unreferenced object, never a file without bytes. */
export async function storeFile(tx: Tx, space: StoredSpace, config: FileConfig, bytes: Buffer): Promise<NewFile> {
  if (bytes.length > MAX_FILE_BYTES) throw tooLarge(message('files.tooLarge', { count: MAX_FILE_BYTES }))
  const size = bytes.length
  const file: NewFile = { ...buildFile(tx, space, config, size), status: 'complete', bytesReceived: size }
  await putObject(file.objectKey, bytes, { contentType: file.mimetype })
  tx.write(Files.create(file))
  emitCreated(tx, file)
  return file
}

export function prepareExportFile(tx: Tx, space: StoredSpace, { id, name }: { id: string; name: string }) {
  const file = buildFile(tx, space, { name, mode: 'export' }, 0, id)
  return {
    objectKey: file.objectKey,
    store(size: number): NewFile {
      const stored: NewFile = { ...file, status: 'complete', size, bytesReceived: size }
      tx.write(Files.create(stored))
      emitCreated(tx, stored)
      return stored
    },
  }
}

export async function cloneFile(tx: Tx, space: StoredSpace, file: StoredFile, prefix: string): Promise<NewFile> {
  if (file.status === 'partial') throw conflict(message('files.stillUploading'))
  const name = FileName.safeParse(`${prefix}${file.name}`)
  if (!name.success)
    throw invalidField('prefix', message('files.invalidPrefix', { problem: name.error.issues[0]!.message }))
  const { mimetype, mode, actions, origin, description, size } = file
  const config = { name: name.data, mimetype, mode, actions, origin, description }
  const copy: NewFile = { ...buildFile(tx, space, config, size), status: 'complete', bytesReceived: size }
  await copyObject(file.objectKey, copy.objectKey)
  tx.write(Files.create(copy))
  emitCreated(tx, copy)
  return copy
}

export async function startUpload(
  tx: Tx,
  space: StoredSpace,
  config: FileConfig,
  size: number,
): Promise<{ file: NewFile; upload: Upload }> {
  const file = buildFile(tx, space, config, size)
  const expiresAt = new Date(Date.parse(tx.now) + UPLOAD_SECONDS * 1000).toISOString()
  if (size <= MAX_SINGLE_UPLOAD_BYTES) {
    const stagingKey = `arriving/${file.id}`
    tx.write(Files.create({ ...file, stagingKey }))
    return {
      file,
      upload: { type: 'single', method: 'PUT', url: await presignPut(stagingKey, UPLOAD_SECONDS), expiresAt },
    }
  }
  const uploadId = await createMultipart(file.objectKey, { contentType: file.mimetype })
  tx.write(Files.create({ ...file, uploadId }))
  const parts = await Promise.all(
    Array.from({ length: Math.ceil(size / UPLOAD_PART_BYTES) }, async (_, index) => ({
      partNumber: index + 1,
      url: await presignPart(file.objectKey, uploadId, index + 1, UPLOAD_SECONDS),
    })),
  )
  return { file, upload: { type: 'multipart', method: 'PUT', partSize: UPLOAD_PART_BYTES, parts, expiresAt } }
}

type Parts = { partNumber: number; etag: string }[]

export async function completeUpload(tx: Tx, file: StoredFile, parts: Parts | undefined): Promise<NewFile> {
  if (file.status !== 'partial') return file
  await (file.uploadId
    ? completeParts(file, file.uploadId, parts)
    : acceptUpload(file, file.stagingKey ?? file.objectKey))
  const { uploadId: _, stagingKey, ...fileFields } = file
  const after: NewFile = { ...fileFields, status: 'complete', bytesReceived: file.size, updatedAt: tx.now }
  tx.write(Files.replace(file, after))
  emitCreated(tx, after)
  if (stagingKey) tx.afterCommit(() => deleteObject(stagingKey))
  return after
}

const createSizeError = (file: StoredFile, size: number) =>
  unprocessable(message('files.wrongUploadSize', { count: size, expected: file.size }))

/** Clients cannot write the new key. Checked again after the copy, because the URL still accepts writes. */
async function acceptUpload(file: StoredFile, stagingKey: string): Promise<void> {
  const staged = await headObject(stagingKey)
  if (!staged) throw conflict(message('files.nothingUploaded'))
  if (staged.size !== file.size) throw createSizeError(file, staged.size)
  await copyObject(stagingKey, file.objectKey)
  const copied = await headObject(file.objectKey)
  if (copied?.size !== file.size) throw createSizeError(file, copied?.size ?? 0)
}

async function completeParts(
  { objectKey, ...file }: StoredFile,
  uploadId: string,
  parts: Parts | undefined,
): Promise<void> {
  const existing = await headObject(objectKey)
  if (!existing) {
    if (!parts?.length) throw invalidField('parts', message('files.partsRequired'))
    await completeNamedParts(objectKey, uploadId, parts)
  }
  const size = (existing ?? (await headObject(objectKey)))?.size ?? 0
  if (size !== file.size) throw createSizeError({ objectKey, ...file }, size)
}

async function completeNamedParts(key: string, uploadId: string, parts: Parts): Promise<void> {
  try {
    await completeMultipart(
      key,
      uploadId,
      parts.toSorted((a, b) => a.partNumber - b.partNumber),
    )
  } catch (error) {
    const { name = '', message: problem = '' } = error as Error
    if (!/^(InvalidPart|InvalidPartOrder|EntityTooSmall|NoSuchUpload|MalformedXML)$/.test(name)) throw error
    throw unprocessable(message('files.invalidParts', { problem }))
  }
}

/** Bytes are deleted after the commit, and again by the handler of the event. */
export function removeFile(tx: Tx, file: StoredFile): void {
  tx.write(Files.remove(file))
  tx.emit(files.deleted, fileContext(file), {}, { namespaces: file.namespaces ?? [] })
  if (file.uploadId && file.status === 'partial') tx.afterCommit(() => abortMultipart(file.objectKey, file.uploadId!))
  if (file.stagingKey) tx.afterCommit(() => deleteObject(file.stagingKey!))
  tx.afterCommit(() => deleteObject(file.objectKey))
}
