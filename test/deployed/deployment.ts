/** A stage of this project, or of an earlier version, deployed by the Serverless Framework. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { EventBridgeClient, ListEventBusesCommand, ListRulesCommand } from '@aws-sdk/client-eventbridge'
import { GetFunctionConfigurationCommand, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda'
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3'
import type { CreatedAccount } from '../../functions/system/create-account.ts'

const run = promisify(execFile)
export const ROOT = resolve(import.meta.dirname, '../..')
const SERVERLESS = createRequire(import.meta.url).resolve('osls/bin/serverless.js')
const STEP_MS = 300_000
const CREDENTIALS = { accessKeyId: 'test', secretAccessKey: 'test' }

/** Leaves out the variables of the shell, which could lead to a real account. */
export const buildCommandEnvironment = (
  endpoint: string,
  more: Record<string, string> = {},
): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  AWS_ENDPOINT_URL: endpoint,
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'us-east-1',
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  SLS_NOTIFICATIONS_MODE: 'off',
  CI: 'true',
  RATE_LIMIT: '0',
  ADDRESS_RATE_LIMIT: '0',
  ...more,
})

export class Deployment {
  readonly endpoint: string
  readonly stage: string
  readonly root: string
  readonly #environment: Record<string, string>
  readonly #lambda: LambdaClient

  constructor(endpoint: string, stage: string, root = ROOT) {
    this.endpoint = endpoint
    this.stage = stage
    this.root = root
    this.#environment = buildCommandEnvironment(endpoint)
    this.#lambda = new LambdaClient({ endpoint, region: 'us-east-1', credentials: CREDENTIALS })
  }

  deploy = (): Promise<string> => this.#serverless('deploy', '--stage', this.stage)

  remove = (): Promise<string> => this.npm('admin', '--', 'remove-stack', '--stage', this.stage, '--with-data')

  asCurrentVersion = (): Deployment => new Deployment(this.endpoint, this.stage, ROOT)

  async getVariables(): Promise<Record<string, string>> {
    const FunctionName = `wharf-${this.stage}-create-account`
    const { Environment } = await this.#lambda.send(new GetFunctionConfigurationCommand({ FunctionName }))
    return Environment?.Variables ?? {}
  }

  async listFunctions(): Promise<Record<string, string>> {
    const found: Record<string, string> = {}
    let Marker: string | undefined
    do {
      const page = await this.#lambda.send(new ListFunctionsCommand({ Marker }))
      for (const { FunctionName = '', CodeSha256 = '' } of page.Functions ?? [])
        if (FunctionName.includes(`-${this.stage}-`)) found[FunctionName] = CodeSha256
      Marker = page.NextMarker
    } while (Marker)
    return found
  }

  async findLeftovers(): Promise<string[]> {
    const settings = { endpoint: this.endpoint, region: 'us-east-1', credentials: CREDENTIALS }
    const [{ TableNames = [] }, { Buckets = [] }, { EventBuses = [] }, { Rules = [] }, functions] = await Promise.all([
      new DynamoDBClient(settings).send(new ListTablesCommand({})),
      new S3Client({ ...settings, forcePathStyle: true }).send(new ListBucketsCommand({})),
      new EventBridgeClient(settings).send(new ListEventBusesCommand({})),
      new EventBridgeClient(settings).send(new ListRulesCommand({})),
      this.listFunctions(),
    ])
    const names = [...TableNames, ...[...Buckets, ...EventBuses, ...Rules].map(({ Name = '' }) => Name)]
    return [...names.filter((name) => `${name}-`.includes(`wharf-${this.stage}-`)), ...Object.keys(functions)]
  }

  async createAccount(email: string): Promise<CreatedAccount> {
    const names = ['--account', 'Deployed', '--name', 'Ada', '--email', email]
    return JSON.parse(await this.npm('admin', '--', 'create', '--stage', this.stage, ...names)) as CreatedAccount
  }

  async runDemo(account: CreatedAccount): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'wharf-deployed-'))
    const { BASE_URL } = await this.getVariables()
    const environments = account.environments.map((each) => ({ ...each, isProd: each.name === 'production' }))
    const { accountId, userId, email, password } = account
    const local = {
      baseUrl: BASE_URL,
      cloud: this.endpoint,
      accountId,
      admin: { userId, email, password },
      environments,
    }
    writeFileSync(join(folder, 'local.json'), JSON.stringify(local), { mode: 0o600 })
    try {
      return await this.npm('demo', { DATA_DIR: folder })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  async npm(...given: (string | Record<string, string>)[]): Promise<string> {
    const more = given.filter((each) => typeof each === 'object')
    const args = given.filter((each) => typeof each === 'string')
    const env = Object.assign({}, this.#environment, ...more)
    return runCommand('npm', ['run', '--silent', ...args], { cwd: this.root, env })
  }

  #serverless = (...args: string[]): Promise<string> =>
    runCommand(process.execPath, [SERVERLESS, ...args], { cwd: this.root, env: this.#environment })
}

async function runCommand(
  file: string,
  args: string[],
  where: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<string> {
  try {
    return (await run(file, args, { ...where, timeout: STEP_MS, maxBuffer: 64 << 20 })).stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${file} ${args.join(' ')} failed:\n${stdout.slice(-4_000)}\n${stderr.slice(-4_000)}`)
  }
}

export async function checkout(commit: string): Promise<string | undefined> {
  const root = mkdtempSync(join(tmpdir(), 'wharf-previous-'))
  mkdirSync(join(root, 'dist'))
  const archive = join(root, 'dist/source.tar')
  try {
    await run('git', ['archive', '--output', archive, commit], { cwd: ROOT })
  } catch {
    rmSync(root, { recursive: true, force: true })
    return undefined
  }
  await run('tar', ['-xf', archive, '-C', root])
  await installPackages(root)
  return root
}

async function installPackages(root: string): Promise<void> {
  const readLock = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8')
  if (readLock(root) === readLock(ROOT)) symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  else await run('npm', ['ci', '--prefer-offline'], { cwd: root, timeout: STEP_MS })
}

export async function findPreviousCommit(): Promise<string | undefined> {
  const git = async (...args: string[]) => (await run('git', args, { cwd: ROOT })).stdout.trim()
  if (process.env.PREVIOUS) return process.env.PREVIOUS
  try {
    const tag = await git('describe', '--tags', '--abbrev=0', 'HEAD^').catch(() => '')
    if (tag) return tag
    const [last] = (await git('log', '-1', '--format=%H', '--', 'serverless.yml', 'functions/http.yml')).split('\n')
    return last ? await git('rev-parse', '--verify', `${last}^`) : undefined
  } catch {
    return undefined
  }
}
