import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { readStack } from '../../packages/local-cloud/src/stack.ts'
import type { Bundle } from '../../scripts/build.ts'
import { buildFunctionsOnce } from '../support/build-once.ts'
import {
  type CloudFormationResource,
  createProject,
  filterByType,
  getStatements,
  packageProject,
  type Resources,
  ROOT,
  type Sources,
  type Statement,
} from '../support/build-package.ts'

/** CloudFormation allows 500 resources per stack, an HTTP API 300 routes. */
const MAX_RESOURCES = 440
const MAX_ROUTES = 300
const MAX_START_BYTES = 300 * 1024

const scratch = mkdtempSync(join(tmpdir(), 'wharf-package-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const projectIn = (name: string, httpYaml: string, sources?: Sources) =>
  createProject(join(scratch, name), httpYaml, sources)

const httpRoutes = (resources: Resources): number =>
  filterByType(resources, 'AWS::ApiGatewayV2::Route').filter(({ Properties }) =>
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
    resources = await packageProject(projectIn('projected', domains(30, 5)))
  }, 120_000)

  it(`has fewer than ${MAX_RESOURCES} resources and ${MAX_ROUTES} routes with 150 paths in 30 domains`, () => {
    const routes = httpRoutes(resources)
    console.log(`150 paths: ${Object.keys(resources).length} resources, ${routes} routes`)
    expect(routes).toBe(150 + 1)
    expect(Object.keys(resources).length).toBeLessThan(MAX_RESOURCES)
  })

  it('retains tables, buckets and the secret when it is deleted', () => {
    for (const id of ['Table', 'Bucket', 'Secret'])
      expect(resources[id], id).toMatchObject({ DeletionPolicy: 'Retain' })
  })

  it('gives each function its own package and no second copy of anything', () => {
    const keys = filterByType(resources, 'AWS::Lambda::Function').map(
      ({ Properties }) => (Properties.Code as { S3Key: string }).S3Key,
    )
    expect(keys.length).toBe(30 + 19)
    expect(new Set(keys).size).toBe(keys.length)
    expect(filterByType(resources, 'AWS::Lambda::Version')).toEqual([])
  })

  it('pushes live events over a WebSocket API, except to a local cloud, which may have none', async () => {
    const sockets = (of: Resources) =>
      filterByType(of, 'AWS::ApiGatewayV2::Api').map(({ Properties }) => Properties.ProtocolType)
    const urlOf = (of: Resources) => {
      const [{ Properties }] = filterByType(of, 'AWS::Lambda::Function') as [CloudFormationResource]
      return JSON.stringify((Properties.Environment as { Variables: Record<string, unknown> }).Variables.LIVE_URL)
    }
    expect(sockets(resources).toSorted()).toEqual(['HTTP', 'WEBSOCKET'])
    expect(urlOf(resources)).toMatch(/wss:\/\/\$\{WebsocketsApi\}\.execute-api/)
    const local = await packageProject(projectIn('local', domains(1, 1)), { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' })
    expect(sockets(local)).toEqual(['HTTP'])
    expect(urlOf(local)).toBe('""')
    expect(JSON.stringify(local)).not.toContain('WebsocketsApi')
  }, 60_000)

  it('is built first when there is no build, or the sources have changed', async () => {
    const root = projectIn('fresh', domains(1, 1))
    const count = join(root, 'builds')
    renameSync(join(root, 'dist'), join(root, 'made'))
    mkdirSync(join(root, 'lib'))
    writeFileSync(join(root, 'scripts/build.ts'), '')
    const build = `mkdir -p web/dist && cp -r made dist && touch dist/packages/sources.json web/dist/index.html && echo built >> builds`
    writeFileSync(
      join(root, 'package.json'),
      JSON.stringify({ name: 'fresh', scripts: { build: `rm -rf dist && ${build}` } }),
    )
    const builds = () => readFileSync(count, 'utf8').trim().split('\n').length
    await packageProject(root)
    expect(builds()).toBe(1)
    await packageProject(root)
    expect(builds()).toBe(1)
    const later = Date.now() / 1000 + 5
    writeFileSync(join(root, 'lib/changed.ts'), '')
    utimesSync(join(root, 'lib/changed.ts'), later, later)
    await packageProject(root)
    expect(builds()).toBe(2)
  }, 60_000)

  it('names the missing package', async () => {
    const root = projectIn('incomplete', domains(1, 1))
    rmSync(join(root, 'dist/packages/run-job.zip'))
    const told = await packageProject(root).catch(
      (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
    )
    expect(told).toMatch(/run-job\.zip is missing: run "npm run build" first/)
  }, 60_000)
})

describe('this project', () => {
  let resources: Resources
  let bundles: Bundle[]

  beforeAll(async () => {
    bundles = await buildFunctionsOnce()
  }, 300_000)

  it('bundles every function, those of the API small enough to start fast', () => {
    for (const { key, routeKeys, modulePath } of readStack({ root: ROOT }).functions) {
      const built = bundles.find((bundle) => bundle.key === key)!
      expect(existsSync(join(ROOT, 'dist', `${relative(ROOT, modulePath)}.mjs`)), key).toBe(true)
      if (routeKeys.length > 0) expect(built.startPackedBytes, key).toBeLessThan(MAX_START_BYTES)
    }
  })

  describe('packaged', () => {
    beforeAll(async () => {
      const sources = Object.fromEntries(bundles.map((bundle) => [bundle.key, bundle.sources]))
      const httpYaml = readFileSync(join(ROOT, 'functions/http.yml'), 'utf8')
      resources = await packageProject(projectIn('real', httpYaml, sources))
    }, 120_000)

    it('stays within the limits of AWS', () => {
      const routes = httpRoutes(resources)
      console.log(`This project: ${Object.keys(resources).length} resources, ${routes} routes`)
      expect(routes).toBeLessThan(MAX_ROUTES)
      expect(Object.keys(resources).length).toBeLessThanOrEqual(MAX_RESOURCES)
    })

    const roleOf = (key: string): Statement[] => {
      const name = `wharf-dev-${key}`
      const { Properties } = filterByType(resources, 'AWS::Lambda::Function').find(
        (each) => each.Properties.FunctionName === name,
      )!
      return getStatements(resources[Properties.Role['Fn::GetAtt'][0]]!)
    }
    const actionsOf = (key: string): string[] => [...new Set(roleOf(key).flatMap(({ Action }) => Action))]
    const services = (key: string) => new Set(actionsOf(key).map((action) => action.split(':')[0]))

    it('gives each function a role with exactly what its code needs', () => {
      expect(services('clips')).toEqual(new Set(['logs', 'dynamodb', 's3', 'events']))
      expect(services('records')).toEqual(new Set(['logs', 'dynamodb', 's3', 'events', 'lambda']))
      expect(services('webhook-event')).toEqual(new Set(['logs', 'dynamodb', 'kms', 'sqs']))
      expect(services('create-account')).toEqual(new Set(['logs', 'dynamodb', 'events']))
      expect(services('default-route')).toEqual(new Set(['logs', 'lambda']))
      expect(services('push')).toEqual(new Set(['logs', 'dynamodb', 'events', 'execute-api', 'sqs']))
      expect(services('publish-pending').has('ses')).toBe(true)
      const making = bundles.map(({ key }) => key).filter((key) => actionsOf(key).includes('lambda:CreateFunction'))
      expect(making).toEqual(['agents'])
      const agents = /^(lambda:(?!InvokeFunction)|iam:)/
      const changing = bundles
        .map(({ key }) => key)
        .filter((key) => actionsOf(key).some((action) => agents.test(action)))
      expect(changing.toSorted()).toEqual(['agents', 'removed'])
      expect(
        actionsOf('removed')
          .filter((action) => agents.test(action))
          .toSorted(),
      ).toEqual(['lambda:DeleteFunction', 'lambda:RemovePermission'])
      const subscribing = bundles.map(({ key }) => key).filter((key) => actionsOf(key).includes('events:PutRule'))
      expect(subscribing.toSorted()).toEqual(['agents', 'removed'])
      const sealing = bundles.map(({ key }) => key).filter((key) => actionsOf(key).includes('kms:Decrypt'))
      const assistant = ['jobs', 'run-job', 'threads']
      const sealed = ['agent-finished', 'secrets', 'webhook-event', 'webhook-tries', 'webhooks']
      expect(sealing.toSorted()).toEqual([...assistant, ...sealed].toSorted())
      const asking = bundles.map(({ key }) => key).filter((key) => actionsOf(key).includes('bedrock:InvokeModel'))
      expect(asking.toSorted()).toEqual(assistant)
      const [used] = roleOf('secrets').filter(({ Action }) => Action.includes('kms:Decrypt'))
      expect(used).toMatchObject({
        Action: ['kms:GenerateDataKey', 'kms:Decrypt'],
        Resource: { 'Fn::GetAtt': ['SealingKey', 'Arn'] },
        Condition: { Null: { 'kms:EncryptionContext:environmentId': 'false' } },
      })
      expect(resources.SealingKey!.Properties).toMatchObject({ EnableKeyRotation: true })
    })

    it('lets functions write the log of the platform and no other', () => {
      const isolated = 'wharf-dev-run-mutation'
      for (const { key } of bundles.filter(({ key }) => `wharf-dev-${key}` !== isolated))
        expect(roleOf(key)[0]!.Resource, key).toEqual({ 'Fn::GetAtt': ['Log', 'Arn'] })
      for (const { Properties } of filterByType(resources, 'AWS::Lambda::Function'))
        expect(Properties.LoggingConfig).toEqual({
          LogGroup: { Ref: Properties.FunctionName === isolated ? 'IsolatedLog' : 'Log' },
        })
    })

    it("gives the function that runs users' code its own log and nothing else", () => {
      expect(roleOf('run-mutation')).toEqual([
        {
          Effect: 'Allow',
          Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
          Resource: { 'Fn::GetAtt': ['IsolatedLog', 'Arn'] },
        },
      ])
      const made = filterByType(resources, 'AWS::Lambda::Function')
      const { Properties } = made.find((each) => each.Properties.FunctionName === 'wharf-dev-run-mutation')!
      expect(Properties.Environment).toBeUndefined()
      expect(Properties.TracingConfig).toBeUndefined()
      expect(Properties).toMatchObject({ Timeout: 28, MemorySize: 1769 })
      expect(
        made.filter((each) => each.Properties.Role['Fn::GetAtt'][0] === Properties.Role['Fn::GetAtt'][0]),
      ).toHaveLength(1)
      const { sources } = bundles.find(({ key }) => key === 'run-mutation')!
      const code = sources.filter((source) => !/^schemas\/message/.test(source))
      expect(code.toSorted()).toEqual([
        'functions/system/run-mutation.ts',
        'lib/jobs/mutation/driver.ts',
        'lib/jobs/mutation/engine.ts',
        'lib/jobs/mutation/limits.ts',
      ])
      const calling = bundles
        .map(({ key }) => key)
        .filter((key) => JSON.stringify(roleOf(key)).includes('run-mutation"'))
      expect(calling.toSorted()).toEqual(['jobs', 'run-job'])
    })

    const CALLED = /wharf-agents-dev-us_ag_\*|(publish-pending|jobs-due|run-job|run-mutation)"/
    it('lets only the deployer create accounts', () => {
      expect(JSON.stringify(resources)).not.toMatch(/function:wharf-dev-create-account/)
      for (const { key } of bundles.filter(({ key }) => key !== 'default-route'))
        for (const { Action, Resource } of roleOf(key))
          if ([Action].flat().includes('lambda:InvokeFunction')) expect(JSON.stringify(Resource), key).toMatch(CALLED)
    })

    it('lets functions invoke the platform functions they start asynchronously, and a job its own next run', () => {
      const called = (key: string): string =>
        JSON.stringify(roleOf(key).filter(({ Action }) => [Action].flat().includes('lambda:InvokeFunction')))
      for (const { key, sources } of bundles)
        for (const source of sources)
          for (const [, name] of readFileSync(join(ROOT, source), 'utf8').matchAll(/\bplatformLater\('([a-z-]+)'/g))
            expect(called(key), `${key}, by ${source}`).toContain(`wharf-dev-${name}"`)
    })

    it("lets platform functions manage only resources with the agents' prefix", () => {
      const statements = filterByType(resources, 'AWS::IAM::Role').flatMap(getStatements)
      for (const { Action, Resource } of statements) {
        if ([Action].flat().some((action) => /^(lambda:(?!InvokeFunction)|events:(?!PutEvents))/.test(action)))
          expect(JSON.stringify(Resource)).toMatch(
            /function:wharf-agents-dev-us_ag_\*|rule\/\$\{EventBus\}\/wharf-agents-dev-\*/,
          )
        if ([Action].flat().includes('execute-api:ManageConnections'))
          expect(JSON.stringify(Resource)).toMatch(/\$\{WebsocketsApi\}\//)
      }
    })

    it('lets the default route invoke each function that has a route, and no other', () => {
      const routed = readStack({ root: ROOT }).functions.filter(({ routeKeys }) => routeKeys.length > 0)
      const called = roleOf('default-route').find(({ Action }) => [Action].flat().includes('lambda:InvokeFunction'))!
      const names = (called.Resource as { 'Fn::Sub': string }[]).map((each) => each['Fn::Sub'].split(':function:')[1])
      expect(names.toSorted()).toEqual(routed.map(({ key }) => `wharf-dev-${key}`).toSorted())
    })

    it('gives secrets only to functions whose code reads them', () => {
      const functionsWithVariable = (variable: string): string[] =>
        filterByType(resources, 'AWS::Lambda::Function')
          .filter(({ Properties }) => variable in (Properties.Environment?.Variables ?? {}))
          .map(({ Properties }) => Properties.FunctionName.replace('wharf-dev-', ''))
          .toSorted()
      const reading = (source: string): string[] =>
        bundles
          .filter(({ sources }) => sources.includes(source))
          .map(({ key }) => key)
          .toSorted()
      expect(functionsWithVariable('WHARF_SECRET')).toEqual(reading('lib/core/deployment-key.ts'))
      expect(functionsWithVariable('ORIGIN_SECRET')).toEqual(reading('lib/http/address.ts'))
      for (const key of ['default-route', 'cron', 'meter', 'collect-orphans', 'expire', 'route-events'])
        expect(functionsWithVariable('WHARF_SECRET'), key).not.toContain(key)
    })

    it('has no name pattern that matches resources of a stage with a longer name', () => {
      const arns = filterByType(resources, 'AWS::Lambda::Function').flatMap(({ Properties }) => [
        `function:${Properties.FunctionName.replace('wharf-dev-', 'wharf-dev-2-')}`,
        `function:${Properties.FunctionName.replace('wharf-dev-', 'wharf-dev-us-')}`,
      ])
      arns.push('function:wharf-agents-dev-2-us_ag_01', 'rule/wharf-dev-2-CronEventsRuleSchedule1-AAAA')
      const patterns = [...JSON.stringify(resources).matchAll(/"arn:[^"]*?:((?:function:|rule\/wharf)[^"]*)"/g)].map(
        ([, name]) => name!,
      )
      expect(patterns.length).toBeGreaterThan(10)
      for (const pattern of patterns) {
        const fits = new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`)
        expect(
          arns.filter((arn) => fits.test(arn)),
          pattern,
        ).toEqual([])
      }
    })

    it('knows the permissions of every source that uses the AWS SDK', () => {
      const permissions = parse(readFileSync(join(ROOT, 'functions/permissions.yml'), 'utf8'), { logLevel: 'silent' })
      const named = Object.values(permissions as Record<string, { sources: string[] }>).flatMap(
        ({ sources }) => sources,
      )
      const held = new Set(bundles.flatMap(({ sources }) => sources))
      const speaking = [...held].filter((file) =>
        /^(import(?! type)|.*\bimport\().*'@aws-sdk\/|^\} from '@aws-sdk\//m.test(
          readFileSync(join(ROOT, file), 'utf8'),
        ),
      )
      expect(speaking.length).toBeGreaterThan(10)
      const toTable = (file: string) => /@aws-sdk\/lib-dynamodb'/.test(readFileSync(join(ROOT, file), 'utf8'))
      const known = (file: string) => named.some((one) => file === one || (one.endsWith('/') && file.startsWith(one)))
      const BY_NAME = ['lib/agents/invoke.ts', 'lib/events/invoke-async.ts']
      expect(speaking.filter((file) => !known(file) && !toTable(file) && !BY_NAME.includes(file))).toEqual([])
      for (const file of named.filter((each) => !each.endsWith('/'))) expect(held.has(file), file).toBe(true)
    })
  })
})
