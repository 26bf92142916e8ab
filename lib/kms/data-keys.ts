/** Data keys wrapped by the deployment's KMS key, each for one environment (encryption context). */
import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { getClientDefaults } from '../core/aws-client.ts'
import { env } from '../core/env.ts'

export interface DataKey {
  plaintext: Buffer
  wrapped: Buffer
}

let client: KMSClient | undefined
const getClient = (): KMSClient => {
  client ??= new KMSClient(getClientDefaults())
  return client
}

const getKeyParameters = (environmentId: string) => {
  const { SEALING_KEY: KeyId } = env()
  if (!KeyId) throw new Error('SEALING_KEY is not set. Set it to the ARN of the KMS key that wraps data keys.')
  return { KeyId, EncryptionContext: { environmentId } }
}

export async function generateDataKey(environmentId: string): Promise<DataKey> {
  const command = new GenerateDataKeyCommand({ ...getKeyParameters(environmentId), KeySpec: 'AES_256' })
  const { Plaintext, CiphertextBlob } = await getClient().send(command)
  return { plaintext: Buffer.from(Plaintext!), wrapped: Buffer.from(CiphertextBlob!) }
}

export async function unwrapDataKey(environmentId: string, wrapped: Buffer): Promise<Buffer> {
  const command = new DecryptCommand({ ...getKeyParameters(environmentId), CiphertextBlob: wrapped })
  return Buffer.from((await getClient().send(command)).Plaintext!)
}
