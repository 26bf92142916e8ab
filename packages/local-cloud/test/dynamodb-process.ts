import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startDynamodb } from '../src/dynamodb/index.ts'

const service = await startDynamodb({ dataDir: process.argv[2]! })
const server = createServer((req, res) => void service.handle(req, res))
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
