/** Who may be listening live: a mark of the environment or space, for as long as a subscription token to it is valid. */
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import { batchGet } from '../table/batch.ts'
import { documents, tableName } from '../table/client.ts'

const keyOf = (id: string) => ({ pk: `listening#${id}`, sk: '-' })

/** @param id of the environment or space */
export async function noteListening(id: string, minutes: number, now = Date.now()): Promise<void> {
  const Item = { ...keyOf(id), expires: Math.ceil(now / 1000) + minutes * 60 }
  await documents.send(new PutCommand({ TableName: tableName(), Item }))
}

/** May somebody be listening to one of these environments and spaces? */
export async function isListenedTo(ids: readonly string[], now = Date.now()): Promise<boolean> {
  const marks = await batchGet(ids.map((id) => marshall(keyOf(id))))
  return marks.some(({ expires }) => Number(expires?.N) * 1000 > now)
}
