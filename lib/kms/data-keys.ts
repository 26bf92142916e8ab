/** Data keys wrapped by the deployment's KMS key, each for one environment (encryption context). */
import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { createClient } from '../core/aws-client.ts'
import { env } from '../core/env.ts'

export interface DataKey {
  plaintext: Buffer
  wrapped: Buffer
}

const kms = createClient(KMSClient)

const getKeyParameters = (environmentId: string) => {
  const { SEALING_KEY: KeyId } = env()
  if (!KeyId) throw new Error('SEALING_KEY is not set. Set it to the ARN of the KMS key that wraps data keys.')
  return { KeyId, EncryptionContext: { environmentId } }
}

export async function generateDataKey(environmentId: string): Promise<DataKey> {
  const command = new GenerateDataKeyCommand({ ...getKeyParameters(environmentId), KeySpec: 'AES_256' })
  const { Plaintext, CiphertextBlob } = await kms.send(command)
  return { plaintext: Buffer.from(Plaintext!), wrapped: Buffer.from(CiphertextBlob!) }
}

export async function unwrapDataKey(environmentId: string, wrapped: Buffer): Promise<Buffer> {
  const command = new DecryptCommand({ ...getKeyParameters(environmentId), CiphertextBlob: wrapped })
  return Buffer.from((await kms.send(command)).Plaintext!)
}
