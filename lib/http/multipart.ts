/** Reads a multipart/form-data body: its fields, and its one file. */
import { Busboy } from '@fastify/busboy'
import type { Problem } from '../../schemas/errors.ts'
import { invalidField } from '../core/errors.ts'

export interface Form {
  /** Repeated fields in order. */
  fields: Record<string, string[]>
  file: { name: string; mimetype: string; bytes: Buffer } | undefined
  /** What is wrong with the form; the caller adds what is wrong with its fields, and refuses both together. */
  problems: Problem[]
}

const FIELD_BYTES = 1024 * 1024
const FIELDS = 1000

/** @throws a 400 for a body that is no form; other problems are told in the form */
export async function readForm(contentType: string | undefined, body: Buffer): Promise<Form> {
  if (!/^multipart\/form-data\b/i.test(contentType ?? ''))
    throw invalidField('content-type', 'must be multipart/form-data')
  const { fields, files, problems } = await parse(contentType!, body)
  if (files.length === 0) problems.push({ key: 'file', message: 'is missing' })
  if (files.length > 1) problems.push({ key: 'file', message: `is one file a request, here are ${files.length}` })
  return { fields, file: files[0], problems }
}

interface Parsed {
  fields: Record<string, string[]>
  files: NonNullable<Form['file']>[]
  problems: Problem[]
}

function parse(contentType: string, body: Buffer): Promise<Parsed> {
  const parsed: Parsed = { fields: Object.create(null), files: [], problems: [] }
  return new Promise((resolve, reject) => {
    const broken = (error: unknown) => reject(invalidField('body', `is not a valid form: ${(error as Error).message}`))
    let parser: InstanceType<typeof Busboy>
    try {
      parser = new Busboy({
        headers: { 'content-type': contentType },
        limits: { fieldSize: FIELD_BYTES, fields: FIELDS, files: 2 },
      })
    } catch (error) {
      return broken(error)
    }
    parser.on('field', (name, value, _nameCut, valueCut) => {
      if (valueCut) parsed.problems.push({ key: name, message: `may have at most ${FIELD_BYTES} bytes` })
      const values = parsed.fields[name]
      if (values) values.push(value)
      else parsed.fields[name] = [value]
    })
    parser.on('fieldsLimit', () => parsed.problems.push({ key: 'body', message: `may have at most ${FIELDS} fields` }))
    parser.on('file', (_field, stream, name, _encoding, mimetype) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('error', broken)
      stream.on('end', () => parsed.files.push({ name: name ?? '', mimetype, bytes: Buffer.concat(chunks) }))
    })
    parser.on('error', broken)
    parser.on('finish', () => resolve(parsed))
    parser.end(body)
  })
}
