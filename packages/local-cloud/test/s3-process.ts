import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startS3 } from '../src/s3/index.ts'

const service = await startS3({ dataDir: process.argv[2]!, accessKeyId: 'test', secretAccessKey: 'test' })
const server = createServer((req, res) => void service.handle(req, res))
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
