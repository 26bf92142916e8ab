import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { readStack } from '../../localstack/cloud/stack.ts'
import { buildFunctions } from '../../scripts/build.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const SERVERLESS = createRequire(import.meta.url).resolve('osls/bin/serverless.js')
const SHARED = [
  'serverless.yml',
  'package.json',
  'scripts/serverless-bundles.cjs',
  'scripts/serverless-websocket.cjs',
  'localstack/deploy-plugin.cjs',
]
const run = promisify(execFile)

/** CloudFormation takes 500 resources a stack, an HTTP API 300 routes. */
const MAX_RESOURCES = 400
const MAX_ROUTES = 300
/** What a domain's function reads at a cold start, compressed. */
const MAX_START_BYTES = 300 * 1024

interface Statement {
  Action: string | string[]
  Resource: unknown
}
interface CloudFormationResource {
  Type: string
  DeletionPolicy?: string
  Properties: Record<string, unknown>
}
type Resources = Record<string, CloudFormationResource>

const scratch = mkdtempSync(join(tmpdir(), 'wharf-package-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** A project like this one in a folder of its own, with packages that hold nothing. */
function project(name: string, httpYaml: string): string {
  const root = join(scratch, name)
  for (const file of SHARED) cpSync(join(ROOT, file), join(root, file))
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  mkdirSync(join(root, 'functions'))
  writeFileSync(join(root, 'functions/http.yml'), httpYaml)
  mkdirSync(join(root, 'dist/packages'), { recursive: true })
  for (const { key } of readStack({ root }).functions) writeFileSync(join(root, `dist/packages/${key}.zip`), 'empty')
  return root
}

/** `serverless package` without credentials, in an environment that has none. */
async function packaged(root: string, more: Record<string, string> = {}): Promise<Resources> {
  const env = { ...more, PATH: process.env.PATH, HOME: scratch, CI: 'true', SLS_NOTIFICATIONS_MODE: 'off' }
  await run(process.execPath, [SERVERLESS, 'package'], { cwd: root, env })
  const template = readFileSync(join(root, '.serverless/cloudformation-template-update-stack.json'), 'utf8')
  return (JSON.parse(template) as { Resources: Resources }).Resources
}

const ofType = (resources: Resources, type: string) =>
  Object.values(resources).filter((resource) => resource.Type === type)

const httpRoutes = (resources: Resources): number =>
  ofType(resources, 'AWS::ApiGatewayV2::Route').filter(({ Properties }) =>
    JSON.stringify(Properties.ApiId).includes('"HttpApi"'),
  ).length

function domains(count: number, endpointsEach: number): string {
  const functionOf = (domain: string) => ({
    handler: `functions/${domain}.handler`,
    events: Array.from({ length: endpointsEach }, (_, i) => ({
      httpApi: { method: 'GET', path: `/api/v1/${domain}/r${i}/{id}` },
    })),
  })
  return stringify(
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`domain${i}`, functionOf(`domain${i}`)])),
  )
}

describe('the packaged stack', () => {
  let resources: Resources

  beforeAll(async () => {
    resources = await packaged(project('projected', domains(30, 5)))
  }, 120_000)

  it(`stays under ${MAX_RESOURCES} resources and ${MAX_ROUTES} routes with 150 paths in 30 domains`, () => {
    const routes = httpRoutes(resources)
    console.log(`150 paths: ${Object.keys(resources).length} resources, ${routes} routes`)
    expect(routes).toBe(150 + 1)
    expect(Object.keys(resources).length).toBeLessThan(MAX_RESOURCES)
  })

  it('keeps tables, buckets and the secret when it is deleted', () => {
    for (const id of ['Table', 'Bucket', 'Secret'])
      expect(resources[id], id).toMatchObject({ DeletionPolicy: 'Retain' })
  })

  it('gives each function its own package and no second copy of anything', () => {
    const keys = ofType(resources, 'AWS::Lambda::Function').map(
      ({ Properties }) => (Properties.Code as { S3Key: string }).S3Key,
    )
    expect(keys.length).toBe(30 + 18)
    expect(new Set(keys).size).toBe(keys.length)
    expect(ofType(resources, 'AWS::Lambda::Version')).toEqual([])
  })

  it('catches in a queue what a rule cannot deliver', () => {
    const rules = ofType(resources, 'AWS::Events::Rule').filter(({ Properties }) => Properties.EventPattern)
    expect(rules.length).toBe(8)
    for (const { Properties } of rules)
      expect(JSON.stringify(Properties.Targets)).toContain(
        '"DeadLetterConfig":{"Arn":{"Fn::GetAtt":["DeadLetters","Arn"]}}',
      )
  })

  it("lets platform functions manage what carries the agents' prefix only", () => {
    const role = resources.IamRoleLambdaExecution!.Properties as {
      Policies: { PolicyDocument: { Statement: Statement[] } }[]
    }
    const statements = role.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    for (const { Action, Resource } of statements) {
      const where = JSON.stringify(Resource)
      expect(where).not.toBe('"*"')
      if ([Action].flat().some((action) => /^(lambda:(?!InvokeFunction)|events:(?!PutEvents))/.test(action)))
        expect(where).toContain('wharf-agents-dev-*')
      if ([Action].flat().includes('execute-api:ManageConnections')) expect(where).toMatch(/\$\{WebsocketsApi\}\//)
    }
  })

  it('lets agents write their log and nothing else', () => {
    const role = resources.AgentRole!.Properties as {
      Policies: { PolicyDocument: { Statement: (Statement & { Condition?: unknown })[] } }[]
    }
    const statements = role.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    expect(statements.flatMap(({ Action }) => Action)).toEqual([
      'logs:CreateLogGroup',
      'logs:CreateLogStream',
      'logs:PutLogEvents',
      'lambda:InvokeFunction',
    ])
    expect(statements.at(-1)!.Condition).toEqual({ Null: { 'lambda:SourceFunctionArn': 'true' } })
  })

  it('pushes live events over a WebSocket API, but not to a cloud on this machine, which may have none', async () => {
    const sockets = (of: Resources) =>
      ofType(of, 'AWS::ApiGatewayV2::Api').map(({ Properties }) => Properties.ProtocolType)
    const urlOf = (of: Resources) => {
      const [{ Properties }] = ofType(of, 'AWS::Lambda::Function') as [CloudFormationResource]
      return JSON.stringify((Properties.Environment as { Variables: Record<string, unknown> }).Variables.LIVE_URL)
    }
    expect(sockets(resources).toSorted()).toEqual(['HTTP', 'WEBSOCKET'])
    expect(urlOf(resources)).toMatch(/wss:\/\/\$\{WebsocketsApi\}\.execute-api/)
    const local = await packaged(project('local', domains(1, 1)), { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' })
    expect(sockets(local)).toEqual(['HTTP'])
    expect(urlOf(local)).toBe('""')
    expect(JSON.stringify(local)).not.toContain('WebsocketsApi')
  }, 60_000)

  it('tells which package is missing', async () => {
    const root = project('incomplete', domains(1, 1))
    rmSync(join(root, 'dist/packages/run-job.zip'))
    const told = await packaged(root).catch((error: { stdout: string; stderr: string }) => error.stdout + error.stderr)
    expect(told).toMatch(/run-job\.zip is missing: run "npm run build" first/)
  }, 60_000)
})

describe.runIf(existsSync(join(ROOT, 'functions/http.yml')))('this project', () => {
  it('packages within the limits of AWS', async () => {
    const root = project('real', readFileSync(join(ROOT, 'functions/http.yml'), 'utf8'))
    const resources = await packaged(root)
    const routes = httpRoutes(resources)
    console.log(`This project: ${Object.keys(resources).length} resources, ${routes} routes`)
    expect(routes).toBeLessThan(MAX_ROUTES)
    expect(Object.keys(resources).length).toBeLessThan(MAX_RESOURCES)
  }, 120_000)

  it('bundles every function, those of the API small enough to start fast', async () => {
    const outDir = join(scratch, 'dist')
    const bundles = await buildFunctions(ROOT, outDir)
    const stack = readStack({ root: ROOT })
    for (const { key, routeKeys, modulePath } of stack.functions) {
      const built = bundles.find((bundle) => bundle.key === key)!
      expect(existsSync(join(outDir, `${relative(ROOT, modulePath)}.mjs`)), key).toBe(true)
      if (routeKeys.length > 0) expect(built.startPackedBytes, key).toBeLessThan(MAX_START_BYTES)
    }
  }, 120_000)
})
