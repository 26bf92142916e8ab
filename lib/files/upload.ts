/** How files come in: in one request, or by an upload straight to S3 that is completed later. */
import * as files from '../../schemas/files.ts'
import { FILE_BYTES, SINGLE_UPLOAD_BYTES, UPLOAD_PART_BYTES, type Upload } from '../../schemas/files.ts'
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
import { extensionOf, mediaTypeOf } from './names.ts'

/** An upload's addresses work this long. */
const UPLOAD_SECONDS = 3600

export interface FileConfig {
  name: string
  mimetype?: string | undefined
  mode: 'import' | 'export'
  actions?: files.File['actions'] | undefined
  origin?: string | undefined
  description?: string | undefined
}

/** Where a file's bytes are in the bucket. */
export const objectKeyOf = (place: { environmentId: string; spaceId: string; fileId: string }): string =>
  `files/${place.environmentId}/${place.spaceId}/${place.fileId}`

function newFile(tx: Tx, space: StoredSpace, config: FileConfig, size: number, id = newId('file')): NewFile {
  return {
    id,
    name: config.name,
    ext: extensionOf(config.name),
    mimetype: mediaTypeOf(config.name, config.mimetype),
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
    objectKey: objectKeyOf({ environmentId: space.environmentId, spaceId: space.id, fileId: id }),
    createdBy: tx.actor.actorId,
    namespaces: spaceNamespaces(space),
    createdAt: tx.now,
    updatedAt: tx.now,
  }
}

const tellCreated = (tx: Tx, file: NewFile) =>
  void tx.emit(files.created, fileContext(file), {}, { namespaces: file.namespaces ?? [] })

/** Stores the bytes, then writes the file: a crash in between leaves an object nobody names, never a file without bytes. */
export async function storeFile(tx: Tx, space: StoredSpace, config: FileConfig, bytes: Buffer): Promise<NewFile> {
  if (bytes.length > FILE_BYTES) throw tooLarge(`A file may have at most ${FILE_BYTES} bytes.`)
  const size = bytes.length
  const file: NewFile = { ...newFile(tx, space, config, size), status: 'complete', bytesReceived: size }
  await putObject(file.objectKey, bytes, { contentType: file.mimetype })
  tx.write(Files.create(file))
  tellCreated(tx, file)
  return file
}

/** A file that the platform writes: where its bytes go, and its write once they are there. */
export function exportedFile(tx: Tx, space: StoredSpace, { id, name }: { id: string; name: string }) {
  const file = newFile(tx, space, { name, mode: 'export' }, 0, id)
  return {
    objectKey: file.objectKey,
    /** Writes the file and tells of it. @param size bytes */
    store(size: number): NewFile {
      const stored: NewFile = { ...file, status: 'complete', size, bytesReceived: size }
      tx.write(Files.create(stored))
      tellCreated(tx, stored)
      return stored
    },
  }
}

/** A new file with the same bytes. */
export async function cloneFile(tx: Tx, space: StoredSpace, file: StoredFile, prefix: string): Promise<NewFile> {
  if (file.status === 'partial') throw conflict('The file is still being uploaded.')
  const name = files.FileName.safeParse(`${prefix}${file.name}`)
  if (!name.success) throw invalidField('prefix', `makes a name that cannot be: ${name.error.issues[0]!.message}`)
  const { mimetype, mode, actions, origin, description, size } = file
  const config = { name: name.data, mimetype, mode, actions, origin, description }
  const copy: NewFile = { ...newFile(tx, space, config, size), status: 'complete', bytesReceived: size }
  await copyObject(file.objectKey, copy.objectKey)
  tx.write(Files.create(copy))
  tellCreated(tx, copy)
  return copy
}

/** Writes the file as `partial` and gives the addresses its bytes are put to. */
export async function beginUpload(
  tx: Tx,
  space: StoredSpace,
  config: FileConfig,
  size: number,
): Promise<{ file: NewFile; upload: Upload }> {
  const file = newFile(tx, space, config, size)
  const expiresAt = new Date(Date.parse(tx.now) + UPLOAD_SECONDS * 1000).toISOString()
  if (size <= SINGLE_UPLOAD_BYTES) {
    const arrivalKey = `arriving/${file.id}`
    tx.write(Files.create({ ...file, arrivalKey }))
    return {
      file,
      upload: { type: 'single', method: 'PUT', url: await presignPut(arrivalKey, UPLOAD_SECONDS), expiresAt },
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

/** Checks that every byte is there and tells of the file; completing it again changes nothing. */
export async function completeUpload(tx: Tx, file: StoredFile, parts: Parts | undefined): Promise<NewFile> {
  if (file.status !== 'partial') return file
  await (file.uploadId ? joinParts(file, file.uploadId, parts) : takeIn(file, file.arrivalKey ?? file.objectKey))
  const { uploadId: _, arrivalKey, ...rest } = file
  const after: NewFile = { ...rest, status: 'complete', bytesReceived: file.size, updatedAt: tx.now }
  tx.write(Files.replace(file, after))
  tellCreated(tx, after)
  if (arrivalKey) tx.afterCommit(() => deleteObject(arrivalKey))
  return after
}

const wrongSize = (file: StoredFile, size: number) =>
  unprocessable(`The upload was to have ${file.size} bytes, ${size} arrived.`)

/** Copies what has arrived to where nobody outside can write; checked after the copy, as the address still takes bytes. */
async function takeIn(file: StoredFile, arrivalKey: string): Promise<void> {
  const arrived = await headObject(arrivalKey)
  if (!arrived) throw conflict('No bytes have arrived yet: PUT them to the address of the upload first.')
  if (arrived.size !== file.size) throw wrongSize(file, arrived.size)
  await copyObject(arrivalKey, file.objectKey)
  const kept = await headObject(file.objectKey)
  if (kept?.size !== file.size) throw wrongSize(file, kept?.size ?? 0)
}

async function joinParts(
  { objectKey, ...file }: StoredFile,
  uploadId: string,
  parts: Parts | undefined,
): Promise<void> {
  const joined = await headObject(objectKey)
  if (!joined) {
    if (!parts?.length) throw invalidField('parts', 'names every part with its etag')
    await joinNamed(objectKey, uploadId, parts)
  }
  const size = (joined ?? (await headObject(objectKey)))?.size ?? 0
  if (size !== file.size) throw wrongSize({ objectKey, ...file }, size)
}

async function joinNamed(key: string, uploadId: string, parts: Parts): Promise<void> {
  try {
    await completeMultipart(
      key,
      uploadId,
      parts.toSorted((a, b) => a.partNumber - b.partNumber),
    )
  } catch (error) {
    const { name = '', message = '' } = error as Error
    if (!/^(InvalidPart|InvalidPartOrder|EntityTooSmall|NoSuchUpload|MalformedXML)$/.test(name)) throw error
    throw unprocessable(`The parts do not make a file: ${message}`)
  }
}

/** Removes the file; its bytes, or what has arrived of them, are given up after the commit and by its event. */
export function removeFile(tx: Tx, file: StoredFile): void {
  tx.write(Files.remove(file))
  tx.emit(files.deleted, fileContext(file), {}, { namespaces: file.namespaces ?? [] })
  if (file.uploadId && file.status === 'partial') tx.afterCommit(() => abortMultipart(file.objectKey, file.uploadId!))
  if (file.arrivalKey) tx.afterCommit(() => deleteObject(file.arrivalKey!))
  tx.afterCommit(() => deleteObject(file.objectKey))
}
