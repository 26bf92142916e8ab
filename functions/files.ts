import { loadScope, visibleTo } from '../lib/auth/load-resource.ts'
import { conflict, invalid, invalidField, notFound } from '../lib/core/errors.ts'
import { lazy } from '../lib/core/lazy.ts'
import { Files } from '../lib/entities/files.ts'
import { Spaces } from '../lib/entities/spaces.ts'
import { detectHeader as headerIn } from '../lib/files/detect-header.ts'
import { getExtension } from '../lib/files/file-types.ts'
import { updateFile } from '../lib/files/update.ts'
import { cloneFile, completeUpload as complete, removeFile, startUpload, storeFile } from '../lib/files/upload.ts'
import { readForm } from '../lib/http/multipart.ts'
import { createObjectReply, getObjectHeaders, redirectToObject } from '../lib/http/object-response.ts'
import { paginate } from '../lib/http/page.ts'
import { parseRange } from '../lib/http/range.ts'
import { Bytes, jsonReply } from '../lib/http/response.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { getRange } from '../lib/objects/store.ts'
import * as files from '../schemas/files/endpoints.ts'
import { FileName, UploadFields } from '../schemas/files/shape.ts'
import { INLINE_RESPONSE_BYTES } from '../schemas/kit/byte-limits.ts'
import { success } from '../schemas/kit/page.ts'
import { message } from '../schemas/messages/index.ts'

const importUnlocking = lazy(() =>
  Promise.all([import('../lib/files/unlock/index.ts'), import('../lib/jobs/lifecycle/extraction.ts')]),
)

const RANGE_HEADERS = { 'accept-ranges': 'bytes' }

export const create = serve(files.create)(async ({ request, caller, tx }) => {
  const form = await readForm(request.headers['content-type'], await request.bytes())
  const fields = UploadFields.safeParse({
    ...Object.fromEntries(Object.entries(form.fields).map(([name, values]) => [name, values.at(-1)])),
    actions: form.fields.actions?.map(parseJson),
  })
  const name = FileName.safeParse(baseName(form.file?.name ?? ''))
  const problems = [
    ...form.problems,
    ...(fields.success
      ? []
      : fields.error.issues.map((issue) => ({ key: issue.path.join('.'), message: issue.message }))),
    ...(name.success || !form.file
      ? []
      : [{ key: 'file', message: message('files.invalidName', { problem: name.error.issues[0]!.message }) }]),
  ]
  if (problems.length > 0 || !fields.success || !name.success || !form.file) throw invalid(problems)
  const { spaceId, environmentId, ...config } = fields.data
  const space = await loadScope('space', caller, spaceId)
  if (environmentId && environmentId !== space.environmentId)
    throw invalidField('environmentId', message('files.environmentMismatch'))
  const { mimetype, bytes } = form.file
  return { data: await storeFile(tx, space, { ...config, name: name.data, mimetype }, bytes) }
})

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const baseName = (path: string): string => path.split(/[/\\]/).at(-1)!

export const createUpload = serve(files.createUpload)(async ({ space, body, tx }) => ({
  data: await startUpload(tx, space, body, body.size),
}))

export const completeUpload = serve(files.completeUpload)(async ({ file, body, tx }) => ({
  data: await complete(tx, file, body?.parts),
}))

export const list = serve(files.listed)(async ({ space, caller, query }) => {
  const environment = query.environmentId ? await loadScope('environment', caller, query.environmentId) : undefined
  if (environment && space && space.environmentId !== environment.id) throw notFound('space', space.id)
  const environmentId = environment?.id ?? caller.environmentId
  if (!space && !environmentId) throw invalidField('spaceId', message('files.spaceRequired'))
  const candidates = space ? await Files.inSpace(space.id) : await Files.inEnvironment(environmentId!)
  const isVisible = visibleTo(caller)
  return paginate(
    candidates.filter((file) => file.expiredAt === undefined && file.mode === query.mode && isVisible(file)),
    query,
  )
})

export const get = serve(files.get)(async ({ file }) => ({ data: file }))

export const update = serve(files.update)(async ({ file, body, caller, tx }) => {
  if (!body) return { data: file }
  if (body.status && file.status === 'partial') throw conflict(message('files.stillUploading'))
  if (body.statusReason && body.status !== 'failed')
    throw invalidField('statusReason', message('files.statusReasonNotAllowed'))
  if (body.workbookId) {
    const workbook = await loadScope('workbook', caller, body.workbookId)
    if (workbook.spaceId !== file.spaceId) throw invalidField('workbookId', message('files.workbookElsewhere'))
  }
  const changes = { ...body, ...(body.name ? { ext: getExtension(body.name) } : {}) }
  return { data: updateFile(tx, file, changes, body.status !== undefined) }
})

export const remove = serve(files.remove)(async ({ file, tx }) => {
  removeFile(tx, file)
  return success
})

export const download = serve(files.download)(async ({ file, request }) => {
  if (file.status === 'partial') throw conflict(message('files.stillUploading'))
  const range = parseRange(request.headers.range, file.size)
  if (range === 'none') return rangeNotSatisfiable(file.size)
  if (!range) return createObjectReply(file, RANGE_HEADERS)
  // S3 serves large ranges itself: clients repeat the range header when redirected.
  if (range.end - range.start > INLINE_RESPONSE_BYTES) return redirectToObject(file, RANGE_HEADERS)
  const bytes = await getRange(file.objectKey, range.start, range.end)
  const contentRange = `bytes ${range.start}-${range.end - 1}/${file.size}`
  return new Bytes(bytes, { ...getObjectHeaders(file), ...RANGE_HEADERS, 'content-range': contentRange }, 206)
})

const rangeNotSatisfiable = (size: number): Bytes => {
  const reply = jsonReply({ errors: [{ key: 'range', message: message('files.size', { count: size }) }] }, 416)
  return new Bytes(reply.body, { ...reply.headers, 'content-range': `bytes */${size}` }, reply.status)
}

export const clone = serve(files.clone)(async ({ file, body, tx }) => {
  const space = await Spaces.get(file.spaceId)
  if (!space) throw notFound('file', file.id)
  return { data: await cloneFile(tx, space, file, body?.prefix ?? 'Copy of ') }
})

export const unlock = serve(files.unlock)(async ({ file, body, tx }) => {
  if (file.status === 'partial') throw conflict(message('files.stillUploading'))
  const [{ unlockFile }, { planExtractionAgain }] = await importUnlocking()
  const extractAgain = await planExtractionAgain(file)
  const unlocked = await unlockFile(tx, file, body.password)
  extractAgain(tx, unlocked)
  return { data: unlocked }
})

export const preview = serve(files.preview)(async ({ file, query }) => {
  if (file.status === 'partial') throw conflict(message('files.stillUploading'))
  const { buildPreview } = await import('../lib/files/preview.ts')
  return { data: await buildPreview(file, query) }
})

export const detectHeader = serve(files.detectHeader)(async ({ body }) => ({
  data: headerIn(body.options, body.data),
}))

export const handler = lambda(
  create,
  createUpload,
  completeUpload,
  list,
  get,
  update,
  remove,
  download,
  clone,
  unlock,
  preview,
  detectHeader,
)
