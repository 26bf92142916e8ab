/** Durability of the embedded DynamoDB when its process is killed. Not run against other clouds. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CreateTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RUN_BUNDLED } from '../../../test/support/bundle-agent.ts'
import { clientConfig } from '../../../test/support/conformance.ts'
import { startDynamodb } from '../src/dynamodb/index.ts'
import { buildKey, prefixRange, Store } from '../src/dynamodb/store.ts'
import { createTableInput, get, type Item, key, N, newIndexedTable, newTable, put, S } from './dynamodb-kit.ts'

const SERVER = join(import.meta.dirname, 'dynamodb-process.ts')

interface Server {
  client: DynamoDBClient
  kill(): Promise<void>
}

let dataDir: string
let running: ChildProcess | undefined
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dynamodb-crash-'))
})
afterEach(async () => {
  running?.kill('SIGKILL')
  await rm(dataDir, { recursive: true })
})

async function startServer(): Promise<Server> {
  const child = spawn(process.execPath, [RUN_BUNDLED, SERVER, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running = child
  const [port] = await once(child.stdout, 'data')
  const client = new DynamoDBClient(clientConfig(`http://127.0.0.1:${Number(port)}`))
  return {
    client,
    async kill() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      client.destroy()
    },
  }
}

const WRITERS = 8

async function writeUntilKilled(
  server: Server,
  writes: number,
  write: (writer: number, at: number) => Promise<unknown>,
): Promise<number[]> {
  const acknowledged = Array<number>(WRITERS).fill(0)
  let total = 0
  let killed: Promise<void> | undefined
  const writers = acknowledged.map(async (_, writer) => {
    for (let at = 1; ; at++) {
      const error = await write(writer, at).then(
        () => undefined,
        (reason: Error) => reason,
      )
      if (error && !killed) throw error
      if (error) return
      acknowledged[writer] = at
      total += 1
      if (total >= writes) killed ??= server.kill()
    }
  })
  await Promise.all(writers)
  await killed
  return acknowledged
}

async function scan(client: DynamoDBClient, TableName: string, IndexName?: string): Promise<Item[]> {
  const found: Item[] = []
  let start: Item | undefined
  do {
    const page = await client.send(new ScanCommand({ TableName, IndexName, ExclusiveStartKey: start }))
    found.push(...page.Items!)
    start = page.LastEvaluatedKey
  } while (start)
  return found
}

const sortItems = (items: Item[]) => items.map((item) => JSON.stringify(Object.entries(item).sort())).sort()

describe.skipIf(process.env.CLOUD)('DynamoDB after a SIGKILL', () => {
  it('keeps every acknowledged write, with consistent indexes', async () => {
    const server = await startServer()
    const table = await newIndexedTable(server.client)
    const acknowledged = await writeUntilKilled(server, 300, (writer, at) =>
      put(server.client, table, {
        ...key(`${writer}-${at}`),
        gpk: S('g'),
        gsk: S(`${at}`),
        text: S('x'.repeat(at % 2000)),
      }),
    )
    const { client, kill } = await startServer()
    const items = await scan(client, table)
    const found = new Set(items.map((item) => item.sk!.S))
    const expected = acknowledged.flatMap((last, writer) =>
      Array.from({ length: last }, (_, at) => `${writer}-${at + 1}`),
    )
    expect(expected.length).toBeGreaterThan(WRITERS)
    expect(expected.filter((sk) => !found.has(sk))).toEqual([])
    expect(sortItems(await scan(client, table, 'gsi'))).toEqual(sortItems(items))
    await kill()
  })

  it('keeps only complete transactions', async () => {
    const parts = Array.from({ length: 25 }, (_, index) => String(index))
    let server = await startServer()
    const table = await newIndexedTable(server.client)
    const versions = Array<number>(WRITERS).fill(0)
    for (const writes of [20, 35, 50, 65]) {
      const { client } = server
      const acknowledged = await writeUntilKilled(server, writes, (writer, at) => {
        const v = versions[writer]! + at
        const item = (sk: string) => ({ ...key(sk, `${writer}`), v: N(v), gpk: S(`${writer}-${v}`), gsk: S(sk) })
        const TransactItems = parts.map((sk) => ({ Put: { TableName: table, Item: item(sk) } }))
        return client.send(new TransactWriteItemsCommand({ TransactItems }))
      })
      server = await startServer()
      const items = await scan(server.client, table)
      expect(sortItems(await scan(server.client, table, 'gsi'))).toEqual(sortItems(items))
      for (let writer = 0; writer < WRITERS; writer++) {
        const found = items.filter((item) => item.pk!.S === `${writer}`).map((item) => Number(item.v!.N))
        const version = found[0] ?? 0
        const known = versions[writer]! + acknowledged[writer]!
        expect([known, known + 1]).toContain(version)
        expect(found).toEqual(version ? parts.map(() => version) : [])
        versions[writer] = version
      }
    }
    await server.kill()
  })

  it('still recognizes transaction tokens', async () => {
    const server = await startServer()
    const table = await newTable(server.client)
    const request = () =>
      new TransactWriteItemsCommand({
        ClientRequestToken: 'the-same-token',
        TransactItems: [
          {
            Update: {
              TableName: table,
              Key: key('1'),
              UpdateExpression: 'ADD v :one',
              ExpressionAttributeValues: { ':one': N(1) },
            },
          },
        ],
      })
    await server.client.send(request())
    await server.kill()
    const { client, kill } = await startServer()
    await client.send(request())
    expect((await get(client, table, key('1')))!.v).toEqual(N(1))
    await kill()
  })

  it('keeps tables with their settings', async () => {
    const server = await startServer()
    const input = createTableInput()
    await server.client.send(new CreateTableCommand(input))
    const TimeToLiveSpecification = { Enabled: true, AttributeName: 'expires' }
    await server.client.send(new UpdateTimeToLiveCommand({ TableName: input.TableName, TimeToLiveSpecification }))
    await server.kill()
    const { client, kill } = await startServer()
    const ttl = await client.send(new DescribeTimeToLiveCommand({ TableName: input.TableName }))
    expect(ttl.TimeToLiveDescription).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: 'expires' })
    await kill()
  })

  it('finishes deleting a table on the next start', async () => {
    const server = await startServer()
    const table = await newTable(server.client)
    await put(server.client, table, key('1'))
    await server.kill()
    const interrupted = await Store.open(dataDir)
    await interrupted.saveTable({ ...interrupted.getTable(table), deleting: true })
    await interrupted.close()
    const restarted = await Store.open(dataDir)
    expect(restarted.hasTable(table)).toBe(false)
    expect((await restarted.iterateItems(prefixRange(buildKey.items(table))).next()).done).toBe(true)
    await restarted.close()
  })

  it('locks its directory against a second process', async () => {
    const server = await startServer()
    await expect(startDynamodb({ dataDir })).rejects.toThrow(/another process/)
    await server.kill()
    const successor = await startDynamodb({ dataDir })
    await successor.close()
  })
})
