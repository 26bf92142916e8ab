/**
 * KMS, as far as envelope encryption goes: symmetric keys, data keys made and opened for the same key and encryption context,
 * through AWS's JSON 1.1 protocol. Keys are files of the data folder; a wrapped key names the one that wrapped it.
 */
import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import * as z from 'zod'
import { AwsError, json, parseInput, parseJson, readInput, send } from './lambda/wire.ts'
import { ACCOUNT_ID, REGION, type Service } from './service.ts'

export interface KmsService extends Service {
  /** Makes the key of this id unless it is there. */
  ensureKey(id: string): void
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const DATA_KEY_BYTES = { AES_256: 32, AES_128: 16 } as const
const CONTENT_TYPE = 'application/x-amz-json-1.1'

const Context = z.record(z.string(), z.string()).optional()
const KeyId = z.string().min(1).max(2048)
const GenerateDataKey = z
  .object({
    KeyId,
    KeySpec: z.enum(['AES_256', 'AES_128']).optional(),
    NumberOfBytes: z.number().int().min(1).max(1024).optional(),
    EncryptionContext: Context,
  })
  .refine(({ KeySpec, NumberOfBytes }) => (KeySpec === undefined) !== (NumberOfBytes === undefined), {
    message: 'Please specify either number of bytes or key spec.',
  })
const Decrypt = z.object({ KeyId: KeyId.optional(), CiphertextBlob: z.base64(), EncryptionContext: Context })

const arnOf = (id: string) => `arn:aws:kms:${REGION}:${ACCOUNT_ID}:key/${id}`
const notFound = (id: string) => new AwsError(400, 'NotFoundException', `Key '${arnOf(id)}' does not exist`)
const invalidCiphertext = () => new AwsError(400, 'InvalidCiphertextException', '')

/** A key's id, from it or its ARN. */
const idOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1)

/** The order in which a client names its parts is not part of a context. */
const bytesOf = (context: z.infer<typeof Context> = {}): Buffer =>
  Buffer.from(JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))))

/** @param folder where the keys are kept */
export function kms({ folder }: { folder: string }): KmsService {
  mkdirSync(folder, { recursive: true })
  // Ids are looked up as file names: anything else in one is no key's.
  const pathOf = (id: string) => (/^[\w-]+$/.test(id) ? join(folder, `${id}.key`) : undefined)
  const materialOf = (id: string): Buffer => {
    const path = pathOf(id)
    if (!path || !existsSync(path)) throw notFound(id)
    return readFileSync(path)
  }
  const ensureKey = (id: string) => {
    const path = pathOf(id)
    if (path && !existsSync(path)) writeFileSync(path, randomBytes(KEY_BYTES), { mode: 0o600 })
  }
  const operations: { [name: string]: (input: unknown) => unknown } = {
    CreateKey() {
      const id = randomUUID()
      ensureKey(id)
      return {
        KeyMetadata: { KeyId: id, Arn: arnOf(id), AWSAccountId: ACCOUNT_ID, Enabled: true, KeyState: 'Enabled' },
      }
    },
    GenerateDataKey(input) {
      const { KeyId: name, KeySpec, NumberOfBytes, EncryptionContext } = parseInput(GenerateDataKey, input)
      const id = idOf(name)
      const plain = randomBytes(NumberOfBytes ?? DATA_KEY_BYTES[KeySpec!])
      const wrapped = wrap({ id, material: materialOf(id) }, plain, EncryptionContext)
      return { KeyId: arnOf(id), Plaintext: plain.toString('base64'), CiphertextBlob: wrapped.toString('base64') }
    },
    Decrypt(input) {
      const { KeyId: name, CiphertextBlob, EncryptionContext } = parseInput(Decrypt, input)
      const wrapped = Buffer.from(CiphertextBlob, 'base64')
      const id = wrapped.subarray(1, 1 + (wrapped[0] ?? 0)).toString('latin1')
      if (name !== undefined) materialOf(idOf(name))
      if (!pathOf(id) || !existsSync(pathOf(id)!)) throw invalidCiphertext()
      if (name !== undefined && idOf(name) !== id)
        throw new AwsError(
          400,
          'IncorrectKeyException',
          'The key ID in the request does not identify a CMK that can perform this operation.',
        )
      const plain = unwrap({ id, material: materialOf(id) }, wrapped, EncryptionContext)
      return { KeyId: arnOf(id), Plaintext: plain.toString('base64'), EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' }
    },
  }
  return { ensureKey, handle: (req, res) => handle(operations, req, res), close: async () => {} }
}

interface Key {
  id: string
  material: Buffer
}

/** The length of the key's id, the id, the nonce, the tag and what is wrapped. */
function wrap({ id, material }: Key, plain: Buffer, context: z.infer<typeof Context>): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', material, nonce).setAAD(bytesOf(context))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([Buffer.from([id.length]), Buffer.from(id, 'latin1'), nonce, cipher.getAuthTag(), body])
}

function unwrap({ id, material }: Key, wrapped: Buffer, context: z.infer<typeof Context>): Buffer {
  const rest = wrapped.subarray(1 + id.length)
  if (rest.length < NONCE_BYTES + TAG_BYTES) throw invalidCiphertext()
  try {
    const decipher = createDecipheriv('aes-256-gcm', material, rest.subarray(0, NONCE_BYTES))
      .setAAD(bytesOf(context))
      .setAuthTag(rest.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(rest.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  } catch {
    throw invalidCiphertext()
  }
}

async function handle(
  operations: { [name: string]: (input: unknown) => unknown },
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const requestId = randomUUID()
  try {
    const body = await readInput(req)
    const name = String(req.headers['x-amz-target'] ?? '').replace(/^TrentService\./, '')
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
    if (!operation) throw new AwsError(400, 'UnknownOperationException', `There is no operation ${name}`)
    send(res, requestId, CONTENT_TYPE, json(200, operation(parseJson(body))))
  } catch (error) {
    const known = error instanceof AwsError ? error : new AwsError(500, 'KMSInternalException', String(error))
    send(res, requestId, CONTENT_TYPE, json(known.status, { __type: known.type, message: known.message }))
  }
}
