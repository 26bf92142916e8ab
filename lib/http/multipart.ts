import { Busboy } from '@fastify/busboy'
import type { Problem } from '../../schemas/kit/error-codes.ts'
import { message } from '../../schemas/messages/index.ts'
import { invalidField } from '../core/errors.ts'

export interface Form {
  fields: Record<string, string[]>
  file: { name: string; mimetype: string; bytes: Buffer } | undefined
  problems: Problem[]
}

const MAX_FIELD_BYTES = 1024 * 1024
const MAX_FIELDS = 1000

export async function readForm(contentType: string | undefined, body: Buffer): Promise<Form> {
  if (!/^multipart\/form-data\b/i.test(contentType ?? ''))
    throw invalidField('content-type', message('files.formRequired'))
  const { fields, files, problems } = await parseForm(contentType!, body)
  if (files.length === 0) problems.push({ key: 'file', message: message('files.fileRequired') })
  if (files.length > 1) problems.push({ key: 'file', message: message('files.severalFiles', { count: files.length }) })
  return { fields, file: files[0], problems }
}

interface ParsedForm {
  fields: Record<string, string[]>
  files: NonNullable<Form['file']>[]
  problems: Problem[]
}

function parseForm(contentType: string, body: Buffer): Promise<ParsedForm> {
  const parsed: ParsedForm = { fields: Object.create(null), files: [], problems: [] }
  return new Promise((resolve, reject) => {
    const rejectForm = (error: unknown) =>
      reject(invalidField('body', message('files.invalidForm', { problem: (error as Error).message })))
    let parser: InstanceType<typeof Busboy>
    try {
      parser = new Busboy({
        headers: { 'content-type': contentType },
        limits: { fieldSize: MAX_FIELD_BYTES, fields: MAX_FIELDS, files: 2 },
      })
    } catch (error) {
      return rejectForm(error)
    }
    parser.on('field', (name, value, _nameCut, valueCut) => {
      if (valueCut)
        parsed.problems.push({ key: name, message: message('files.exceedsBytes', { count: MAX_FIELD_BYTES }) })
      const values = parsed.fields[name]
      if (values) values.push(value)
      else parsed.fields[name] = [value]
    })
    parser.on('fieldsLimit', () =>
      parsed.problems.push({ key: 'body', message: message('files.tooManyFormFields', { count: MAX_FIELDS }) }),
    )
    parser.on('file', (_field, stream, name, _encoding, mimetype) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('error', rejectForm)
      stream.on('end', () => parsed.files.push({ name: name ?? '', mimetype, bytes: Buffer.concat(chunks) }))
    })
    parser.on('error', rejectForm)
    parser.on('finish', () => resolve(parsed))
    parser.end(body)
  })
}
