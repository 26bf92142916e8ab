/**
 * WebSocket connections that follow events: what each was let in with, and which of them listen to an environment or a space.
 * An item by connection from the moment it is let in; one in the list once it says it is there.
 */
import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GoneException,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi'
import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { clientDefaults } from '../core/cloud.ts'
import { env } from '../core/env.ts'
import { documents, tableName } from '../table/client.ts'
import { queried } from '../table/query.ts'

/** API Gateway ends a connection after two hours; its items go some time later. */
const KEPT_SECONDS = 3 * 3600

/** A connection and what it was let in with, which is read by who let it in. */
export interface Socket<T> {
  connectionId: string
  /** Id of the environment or space it listens to. */
  list: string
  subscription: T
}

const connectionKey = (connectionId: string) => ({ pk: `socket#${connectionId}`, sk: '-' })
const listKey = (list: string, connectionId: string) => ({ pk: `sockets#${list}`, sk: connectionId })

const put = <T>(key: { pk: string; sk: string }, { connectionId, list, subscription }: Socket<T>) =>
  documents.send(
    new PutCommand({
      TableName: tableName(),
      Item: { ...key, connectionId, list, subscription, expires: Math.floor(Date.now() / 1000) + KEPT_SECONDS },
    }),
  )

/** Notes a connection that was let in. */
export const admitSocket = async <T>(socket: Socket<T>): Promise<void> => {
  await put(connectionKey(socket.connectionId), socket)
}

/** From now on events are sent to it; again to the same effect. */
export const listSocket = async <T>(socket: Socket<T>): Promise<void> => {
  await put(listKey(socket.list, socket.connectionId), socket)
}

export async function socketOf<T>(connectionId: string): Promise<Socket<T> | undefined> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: tableName(), Key: connectionKey(connectionId), ConsistentRead: true }),
  )
  return Item as Socket<T> | undefined
}

/** Those that listen to an environment or a space. */
export async function socketsIn<T>(list: string): Promise<Socket<T>[]> {
  const found: Socket<T>[] = []
  const answers = queried({
    KeyConditionExpression: 'pk = :list',
    ExpressionAttributeValues: { ':list': `sockets#${list}` },
    ConsistentRead: true,
  })
  for await (const items of answers) found.push(...(items as unknown as Socket<T>[]))
  return found
}

export async function forgetSocket({ connectionId, list }: Pick<Socket<unknown>, 'connectionId' | 'list'>) {
  const keys = [listKey(list, connectionId), connectionKey(connectionId)]
  await Promise.all(keys.map((Key) => documents.send(new DeleteCommand({ TableName: tableName(), Key }))))
}

let client: ApiGatewayManagementApiClient | undefined
const gateway = (): ApiGatewayManagementApiClient => {
  client ??= new ApiGatewayManagementApiClient({ ...clientDefaults(), endpoint: env().LIVE_URL.replace(/^ws/, 'http') })
  return client
}

/** Sends a message; a connection that is gone is forgotten. */
export async function post(socket: Pick<Socket<unknown>, 'connectionId' | 'list'>, message: object): Promise<void> {
  const Data = Buffer.from(JSON.stringify(message))
  await unlessGone(socket, () =>
    gateway().send(new PostToConnectionCommand({ ConnectionId: socket.connectionId, Data })),
  )
}

/** Ends a connection and forgets it. */
export async function closeSocket(socket: Pick<Socket<unknown>, 'connectionId' | 'list'>): Promise<void> {
  await unlessGone(socket, () => gateway().send(new DeleteConnectionCommand({ ConnectionId: socket.connectionId })))
  await forgetSocket(socket)
}

async function unlessGone(
  socket: Pick<Socket<unknown>, 'connectionId' | 'list'>,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof GoneException)) throw error
    await forgetSocket(socket)
  }
}
