/** KMS for envelope encryption: symmetric keys, stored as files, and data keys, over AWS's JSON 1.1 protocol. */
import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import * as z from 'zod'
import { AwsError, parseInput, parseJson, readInput, send, toJsonResponse } from './lambda/wire.ts'
import { ACCOUNT_ID, REGION, type Service } from './service.ts'

export interface KmsService extends Service {
  ensureKey(id: string): void
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const CONTENT_TYPE = 'application/x-amz-json-1.1'

const Context = z.record(z.string(), z.string()).optional()
const KeyId = z.string().min(1).max(2048)
const GenerateDataKey = z.strictObject({ KeyId, KeySpec: z.literal('AES_256'), EncryptionContext: Context })
const Decrypt = z.object({ KeyId: KeyId.optional(), CiphertextBlob: z.base64(), EncryptionContext: Context })

const buildArn = (id: string) => `arn:aws:kms:${REGION}:${ACCOUNT_ID}:key/${id}`
const notFound = (id: string) => new AwsError(400, 'NotFoundException', `Key '${buildArn(id)}' does not exist`)
const invalidCiphertext = () => new AwsError(400, 'InvalidCiphertextException', '')

const parseKeyId = (name: string): string => name.slice(name.lastIndexOf('/') + 1)

/** Sorted, because the order of entries is not part of an encryption context. */
const encodeContext = (context: z.infer<typeof Context> = {}): Buffer =>
  Buffer.from(JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))))

export function startKms({ folder }: { folder: string }): KmsService {
  mkdirSync(folder, { recursive: true })
  // Ids become file names, so other characters are rejected.
  const getKeyPath = (id: string) => (/^[\w-]+$/.test(id) ? join(folder, `${id}.key`) : undefined)
  const readKeyMaterial = (id: string): Buffer => {
    const path = getKeyPath(id)
    if (!path || !existsSync(path)) throw notFound(id)
    return readFileSync(path)
  }
  const ensureKey = (id: string) => {
    const path = getKeyPath(id)
    if (path && !existsSync(path)) writeFileSync(path, randomBytes(KEY_BYTES), { mode: 0o600 })
  }
  const operations: { [name: string]: (input: unknown) => unknown } = {
    CreateKey() {
      const id = randomUUID()
      ensureKey(id)
      return {
        KeyMetadata: { KeyId: id, Arn: buildArn(id), AWSAccountId: ACCOUNT_ID, Enabled: true, KeyState: 'Enabled' },
      }
    },
    GenerateDataKey(input) {
      const { KeyId: name, EncryptionContext } = parseInput(GenerateDataKey, input)
      const id = parseKeyId(name)
      const plaintext = randomBytes(KEY_BYTES)
      const wrapped = wrap({ id, material: readKeyMaterial(id) }, plaintext, EncryptionContext)
      return {
        KeyId: buildArn(id),
        Plaintext: plaintext.toString('base64'),
        CiphertextBlob: wrapped.toString('base64'),
      }
    },
    Decrypt(input) {
      const { KeyId: name, CiphertextBlob, EncryptionContext } = parseInput(Decrypt, input)
      const wrapped = Buffer.from(CiphertextBlob, 'base64')
      const id = wrapped.subarray(1, 1 + (wrapped[0] ?? 0)).toString('latin1')
      if (name !== undefined) readKeyMaterial(parseKeyId(name))
      if (!getKeyPath(id) || !existsSync(getKeyPath(id)!)) throw invalidCiphertext()
      if (name !== undefined && parseKeyId(name) !== id)
        throw new AwsError(
          400,
          'IncorrectKeyException',
          'The key ID in the request does not identify a CMK that can perform this operation.',
        )
      const plaintext = unwrap({ id, material: readKeyMaterial(id) }, wrapped, EncryptionContext)
      return { KeyId: buildArn(id), Plaintext: plaintext.toString('base64'), EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' }
    },
  }
  return { ensureKey, handle: (req, res) => handle(operations, req, res), close: async () => {} }
}

interface Key {
  id: string
  material: Buffer
}

/** Format: length of the key id, key id, nonce, tag, ciphertext. */
function wrap({ id, material }: Key, plaintext: Buffer, context: z.infer<typeof Context>): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', material, nonce).setAAD(encodeContext(context))
  const body = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return Buffer.concat([Buffer.from([id.length]), Buffer.from(id, 'latin1'), nonce, cipher.getAuthTag(), body])
}

function unwrap({ id, material }: Key, wrapped: Buffer, context: z.infer<typeof Context>): Buffer {
  const encrypted = wrapped.subarray(1 + id.length)
  if (encrypted.length < NONCE_BYTES + TAG_BYTES) throw invalidCiphertext()
  try {
    const decipher = createDecipheriv('aes-256-gcm', material, encrypted.subarray(0, NONCE_BYTES))
      .setAAD(encodeContext(context))
      .setAuthTag(encrypted.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(encrypted.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
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
    send(res, requestId, CONTENT_TYPE, toJsonResponse(200, operation(parseJson(body))))
  } catch (error) {
    const awsError = error instanceof AwsError ? error : new AwsError(500, 'KMSInternalException', String(error))
    send(
      res,
      requestId,
      CONTENT_TYPE,
      toJsonResponse(awsError.status, { __type: awsError.type, message: awsError.message }),
    )
  }
}
