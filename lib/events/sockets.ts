/** WebSocket connections: one item per admitted connection, and one in its list once it is listening. */
import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GoneException,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi'
import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { HOUR_SECONDS } from '../../schemas/kit/time.ts'
import { createClient } from '../core/aws-client.ts'
import { env } from '../core/env.ts'
import { documents, getTableName } from '../table/client.ts'
import { queryPages, shareRead } from '../table/query.ts'

/** API Gateway closes a connection after two hours; the items expire later. */
const RETENTION_SECONDS = 3 * HOUR_SECONDS

export interface Socket<T> {
  connectionId: string
  list: string
  subscription: T
}

const buildConnectionKey = (connectionId: string) => ({ pk: `socket#${connectionId}`, sk: '-' })
const buildListKey = (list: string, connectionId: string) => ({ pk: `sockets#${list}`, sk: connectionId })

const putSocket = <T>(key: { pk: string; sk: string }, { connectionId, list, subscription }: Socket<T>) =>
  documents.send(
    new PutCommand({
      TableName: getTableName(),
      Item: { ...key, connectionId, list, subscription, expires: Math.floor(Date.now() / 1000) + RETENTION_SECONDS },
    }),
  )

export const admitSocket = async <T>(socket: Socket<T>): Promise<void> => {
  await putSocket(buildConnectionKey(socket.connectionId), socket)
}

export const addSocketToList = async <T>(socket: Socket<T>): Promise<void> => {
  await putSocket(buildListKey(socket.list, socket.connectionId), socket)
}

export async function getSocket<T>(connectionId: string): Promise<Socket<T> | undefined> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: getTableName(), Key: buildConnectionKey(connectionId), ConsistentRead: true }),
  )
  return Item as Socket<T> | undefined
}

export const getSocketsInList = <T>(list: string): Promise<Socket<T>[]> =>
  shareRead(`sockets#${list}`, () => readSocketsInList<T>(list))

async function readSocketsInList<T>(list: string): Promise<Socket<T>[]> {
  const sockets: Socket<T>[] = []
  const pages = queryPages({
    KeyConditionExpression: 'pk = :list',
    ExpressionAttributeValues: { ':list': `sockets#${list}` },
    ConsistentRead: true,
  })
  for await (const items of pages) sockets.push(...(items as unknown as Socket<T>[]))
  return sockets
}

export async function forgetSocket({ connectionId, list }: Pick<Socket<unknown>, 'connectionId' | 'list'>) {
  const keys = [buildListKey(list, connectionId), buildConnectionKey(connectionId)]
  await Promise.all(keys.map((Key) => documents.send(new DeleteCommand({ TableName: getTableName(), Key }))))
}

let client: ApiGatewayManagementApiClient | undefined
const getGateway = (): ApiGatewayManagementApiClient => {
  client ??= createClient(ApiGatewayManagementApiClient, {
    endpoint: env().LIVE_URL.replace(/^ws/, 'http'),
  })
  return client
}

export async function sendMessage(
  socket: Pick<Socket<unknown>, 'connectionId' | 'list'>,
  message: object,
): Promise<void> {
  const Data = Buffer.from(JSON.stringify(message))
  await forgetIfGone(socket, () =>
    getGateway().send(new PostToConnectionCommand({ ConnectionId: socket.connectionId, Data })),
  )
}

export async function closeSocket(socket: Pick<Socket<unknown>, 'connectionId' | 'list'>): Promise<void> {
  await forgetIfGone(socket, () =>
    getGateway().send(new DeleteConnectionCommand({ ConnectionId: socket.connectionId })),
  )
  await forgetSocket(socket)
}

async function forgetIfGone(
  socket: Pick<Socket<unknown>, 'connectionId' | 'list'>,
  request: () => Promise<unknown>,
): Promise<void> {
  try {
    await request()
  } catch (error) {
    if (!(error instanceof GoneException)) throw error
    await forgetSocket(socket)
  }
}
