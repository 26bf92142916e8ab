/** KMS: data keys can be decrypted only with their key and encryption context. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreateKeyCommand, DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientConfig, conformanceTarget, type Target } from '../../../test/support/conformance.ts'
import { startKms } from '../src/kms.ts'

const folder = mkdtempSync(join(tmpdir(), 'wharf-kms-'))
let target: Target
let client: KMSClient
let key: { KeyId: string; Arn: string }

const createDataKey = async () => {
  const { KeyMetadata } = await client.send(new CreateKeyCommand({}))
  return { KeyId: KeyMetadata!.KeyId!, Arn: KeyMetadata!.Arn! }
}
const catchErrorName = (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => 'nothing',
    (error: Error) => error.name,
  )

beforeAll(async () => {
  target = await conformanceTarget(() => startKms({ folder }))
  client = new KMSClient(clientConfig(target.endpoint))
  key = await createDataKey()
})
afterAll(async () => {
  client.destroy()
  await target.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a data key', () => {
  const EncryptionContext = { environmentId: 'us_env_1', more: 'x' }

  it('has 256 random bits and is decrypted in the same context, in any order', async () => {
    const command = new GenerateDataKeyCommand({ KeyId: key.Arn, KeySpec: 'AES_256', EncryptionContext })
    const [one, other] = [await client.send(command), await client.send(command)]
    expect(one.KeyId).toBe(key.Arn)
    expect(one.Plaintext).toHaveLength(32)
    expect(Buffer.from(one.Plaintext!).equals(other.Plaintext!)).toBe(false)
    expect(Buffer.from(one.CiphertextBlob!).includes(Buffer.from(one.Plaintext!))).toBe(false)
    const opened = await client.send(
      new DecryptCommand({
        CiphertextBlob: one.CiphertextBlob!,
        EncryptionContext: { more: 'x', environmentId: 'us_env_1' },
      }),
    )
    expect(opened).toMatchObject({ KeyId: key.Arn, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' })
    expect(Buffer.from(opened.Plaintext!).equals(one.Plaintext!)).toBe(true)
    const named = await client.send(
      new DecryptCommand({ CiphertextBlob: one.CiphertextBlob!, EncryptionContext, KeyId: key.KeyId }),
    )
    expect(Buffer.from(named.Plaintext!).equals(one.Plaintext!)).toBe(true)
  })

  it('is not decrypted in another context, with another key or after a change', async () => {
    const { CiphertextBlob } = await client.send(
      new GenerateDataKeyCommand({ KeyId: key.KeyId, KeySpec: 'AES_256', EncryptionContext }),
    )
    const decrypt = (more: object) =>
      catchErrorName(client.send(new DecryptCommand({ CiphertextBlob: CiphertextBlob!, EncryptionContext, ...more })))
    expect(await decrypt({ EncryptionContext: undefined })).toBe('InvalidCiphertextException')
    expect(await decrypt({ EncryptionContext: { ...EncryptionContext, environmentId: 'us_env_2' } })).toBe(
      'InvalidCiphertextException',
    )
    expect(await decrypt({ KeyId: (await createDataKey()).Arn })).toBe('IncorrectKeyException')
    const changed = Uint8Array.from(CiphertextBlob!)
    changed[changed.length - 1]! ^= 1
    expect(await decrypt({ CiphertextBlob: changed })).toBe('InvalidCiphertextException')
    expect(await decrypt({ CiphertextBlob: new Uint8Array([1, 2, 3]) })).toBe('InvalidCiphertextException')
  })

  it.skipIf(process.env.CLOUD)('is not created with another length', async () => {
    for (const length of [{ KeySpec: 'AES_128' as const }, { NumberOfBytes: 64 }])
      expect(await catchErrorName(client.send(new GenerateDataKeyCommand({ KeyId: key.KeyId, ...length })))).toBe(
        'ValidationException',
      )
  })

  it('is not created for a missing key', async () => {
    for (const KeyId of ['1234abcd-12ab-34cd-56ef-1234567890ab', `${key.Arn}0`, '../secret'])
      expect(await catchErrorName(client.send(new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256' }))), KeyId).toBe(
        'NotFoundException',
      )
  })
})

it.skipIf(process.env.CLOUD)('keeps its keys across a restart', async () => {
  const { CiphertextBlob, Plaintext } = await client.send(
    new GenerateDataKeyCommand({ KeyId: key.KeyId, KeySpec: 'AES_256' }),
  )
  const again = await conformanceTarget(() => startKms({ folder }))
  const other = new KMSClient(clientConfig(again.endpoint))
  const opened = await other.send(new DecryptCommand({ CiphertextBlob: CiphertextBlob! }))
  expect(Buffer.from(opened.Plaintext!).equals(Plaintext!)).toBe(true)
  other.destroy()
  await again.close()
})
