/** Data keys: made and wrapped by the stack's KMS key, and opened again, each for one environment (its encryption context). */
import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { clientDefaults } from '../core/cloud.ts'
import { env } from '../core/env.ts'

export interface DataKey {
  /** 32 bytes, never stored. */
  plain: Buffer
  wrapped: Buffer
}

let client: KMSClient | undefined
const kms = (): KMSClient => {
  client ??= new KMSClient(clientDefaults())
  return client
}

/** The stack's own key, and for what it is asked: KMS opens a wrapped key for the same answer only. */
const askedFor = (environmentId: string) => {
  const { SEALING_KEY: KeyId } = env()
  if (!KeyId) throw new Error('SEALING_KEY is not set: the ARN of the KMS key that wraps data keys.')
  return { KeyId, EncryptionContext: { environmentId } }
}

export async function newDataKey(environmentId: string): Promise<DataKey> {
  const command = new GenerateDataKeyCommand({ ...askedFor(environmentId), KeySpec: 'AES_256' })
  const { Plaintext, CiphertextBlob } = await kms().send(command)
  return { plain: Buffer.from(Plaintext!), wrapped: Buffer.from(CiphertextBlob!) }
}

export async function openedDataKey(environmentId: string, wrapped: Buffer): Promise<Buffer> {
  const command = new DecryptCommand({ ...askedFor(environmentId), CiphertextBlob: wrapped })
  return Buffer.from((await kms().send(command)).Plaintext!)
}
