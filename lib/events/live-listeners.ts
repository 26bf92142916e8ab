/** Marks environments and spaces as having live listeners while a subscription token is valid. */
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import { batchGet } from '../table/batch.ts'
import { documents, getTableName } from '../table/client.ts'

const buildListenerKey = (id: string) => ({ pk: `listening#${id}`, sk: '-' })

export async function markListening(id: string, minutes: number, now = Date.now()): Promise<void> {
  const Item = { ...buildListenerKey(id), expires: Math.ceil(now / 1000) + minutes * 60 }
  await documents.send(new PutCommand({ TableName: getTableName(), Item }))
}

export async function hasLiveListener(ids: readonly string[], now = Date.now()): Promise<boolean> {
  const marks = await batchGet(ids.map((id) => marshall(buildListenerKey(id))))
  return marks.some(({ expires }) => Number(expires?.N) * 1000 > now)
}
