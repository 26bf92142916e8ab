/** The clouds that run the conformance suites, and the services each does not support. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Emulator,
  EmulatorUnavailableError,
  findPython,
  freePort,
  installOnce,
  installPython,
  runFile,
  startServer,
} from '../../../test/support/emulators.ts'
import { MINISTACK_VERSION, startMiniStack } from '../../../test/support/ministack.ts'

const SERVICES = [
  'DynamoDB',
  'S3',
  'EventBridge',
  'EventBridge to functions',
  'Lambda',
  'KMS',
  'SES',
  'CloudFormation',
] as const
export type ServiceName = (typeof SERVICES)[number]

export const SUITES: Record<ServiceName, readonly string[]> = {
  DynamoDB: ['dynamodb', 'dynamodb-queries', 'dynamodb-tables', 'dynamodb-transactions'],
  S3: ['s3', 's3-checksums', 's3-listing', 's3-multipart', 's3-signed'],
  EventBridge: ['eventbridge-pattern', 'eventbridge-rules'],
  'EventBridge to functions': ['eventbridge'],
  Lambda: ['lambda'],
  KMS: ['kms'],
  SES: ['ses'],
  CloudFormation: ['cloudformation'],
}

export interface Cloud {
  name: string
  version: string
  missing: Partial<Record<ServiceName, string>>
  start?(): Promise<Emulator>
}

const DOCKER = 'needs Docker'
const ELSEWHERE = 'DynamoDB only'

export const CLOUDS: readonly Cloud[] = [
  {
    name: 'embedded',
    version: '',
    missing: { CloudFormation: 'reads serverless.yml instead' },
  },
  {
    name: 'LocalStack',
    version: '4.14.0',
    missing: {
      DynamoDB: 'uses a downloaded DynamoDB Local',
      'EventBridge to functions': DOCKER,
      Lambda: DOCKER,
      SES: 'no SES v2 in the free edition',
    },
    start: startLocalStack,
  },
  {
    name: 'MiniStack',
    version: MINISTACK_VERSION,
    missing: {},
    start: () => startMiniStack({ enforceRoles: false }),
  },
  {
    name: 'DynamoDB Local',
    version: '2.6.1',
    missing: Object.fromEntries(SERVICES.slice(1).map((service) => [service, ELSEWHERE])),
    start: startDynamoDbLocal,
  },
]

async function startLocalStack(): Promise<Emulator> {
  const requirements = join(import.meta.dirname, 'localstack-4.14.0.txt')
  const venv = await installPython('localstack-4.14.0', await findPython(13), ['-r', requirements])
  const port = await freePort()
  const scratch = mkdtempSync(join(tmpdir(), 'wharf-localstack-'))
  const started = await startServer({
    command: join(venv, 'bin/python'),
    args: ['-m', 'localstack.runtime.main'],
    env: {
      PATH: `${join(venv, 'bin')}:${process.env.PATH}`,
      HOME: scratch,
      LOCALSTACK_VOLUME_DIR: scratch,
      GATEWAY_LISTEN: `127.0.0.1:${port}`,
      SERVICES: 's3,events,kms,ses,cloudformation,sts,iam,sqs,secretsmanager,logs',
      STRICT_SERVICE_LOADING: '1',
      SKIP_SSL_CERT_DOWNLOAD: '1',
      DISABLE_EVENTS: '1',
      DNS_ADDRESS: '0',
      S3_SKIP_SIGNATURE_VALIDATION: '0',
    },
    endpoint: `http://127.0.0.1:${port}`,
    healthPath: '/_localstack/health',
    log: join(scratch, 'localstack.log'),
  })
  const stop = async () => {
    await started.stop()
    rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 })
  }
  return { ...started, stop }
}

async function startDynamoDbLocal(): Promise<Emulator> {
  const folder = await installOnce('dynamodb-local-2.6.1', async (into) => {
    const dependency = '<groupId>com.amazonaws</groupId><artifactId>DynamoDBLocal</artifactId><version>2.6.1</version>'
    const project = `<modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version>`
    const pom = `<project>${project}<dependencies><dependency>${dependency}</dependency></dependencies></project>`
    mkdirSync(into, { recursive: true })
    writeFileSync(join(into, 'pom.xml'), pom)
    await runFile('mvn', ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib'], { cwd: into })
  })
  const port = await freePort()
  const lib = join(folder, 'lib')
  const main = 'com.amazonaws.services.dynamodbv2.local.main.ServerRunner'
  try {
    return await startServer({
      command: 'java',
      args: [`-Djava.library.path=${lib}`, '-cp', `${lib}/*`, main, '-inMemory', '-port', String(port)],
      env: { PATH: process.env.PATH, HOME: folder },
      endpoint: `http://127.0.0.1:${port}`,
      healthPath: '/',
      log: join(folder, 'server.log'),
      cwd: folder,
    })
  } catch (error) {
    throw new EmulatorUnavailableError((error as Error).message)
  }
}
