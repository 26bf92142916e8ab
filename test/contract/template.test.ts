import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { METRICS, NAMESPACE } from '../../lib/core/metrics.ts'
import {
  createProject,
  filterByType,
  getStatements,
  packageProject,
  type Resources,
  ROOT,
} from '../support/build-package.ts'

const scratch = mkdtempSync(join(tmpdir(), 'wharf-template-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** AWS offers nothing narrower: X-Ray accepts traces without a resource. */
const EVERYWHERE = ['xray:PutTelemetryRecords', 'xray:PutTraceSegments']
const DEAD_LETTERS = { 'Fn::GetAtt': ['DeadLetters', 'Arn'] }
const CALLED_BY_OTHERS = ['wharf-dev-agent-finished', 'wharf-dev-route-events']

const TOPIC = 'arn:aws:sns:us-east-1:123456789012:oncall'
const DOMAIN = {
  DOMAIN_NAME: 'api.example.com',
  CERTIFICATE_ARN: 'arn:aws:acm:us-east-1:123456789012:certificate/x',
}

let root: string
let resources: Resources
let asked: Resources
const functions = () => filterByType(resources, 'AWS::Lambda::Function')

beforeAll(async () => {
  root = createProject(join(scratch, 'real'), readFileSync(join(ROOT, 'functions/http.yml'), 'utf8'))
  resources = await packageProject(root)
  asked = await packageProject(root, {
    TRACING: 'Active',
    TABLE_KMS: 'true',
    ALARM_TOPIC: TOPIC,
    MUTATION_CONCURRENCY: '5',
    ...DOMAIN,
  })
}, 120_000)

describe('roles', () => {
  it('allow no action and no resource by a wildcard', () => {
    const statements = filterByType(resources, 'AWS::IAM::Role').flatMap(getStatements)
    expect(statements.length).toBeGreaterThan(5)
    for (const { Action, Resource } of statements) {
      for (const action of [Action].flat()) expect(action).not.toContain('*')
      expect([Resource].flat(), JSON.stringify(Action)).not.toContain('*')
    }
  })

  it('are one per set of permissions, and every function has one', () => {
    for (const { Properties } of functions())
      expect(resources[Properties.Role['Fn::GetAtt'][0]]?.Type).toBe('AWS::IAM::Role')
    expect(resources.IamRoleLambdaExecution).toBeUndefined()
  })

  it('let agents write only the log of agents and report their result', () => {
    const statements = getStatements(resources.AgentRole!)
    expect(statements.flatMap(({ Action }) => Action)).toEqual([
      'logs:CreateLogStream',
      'logs:PutLogEvents',
      'lambda:InvokeFunction',
    ])
    expect(statements[0]!.Resource).toEqual({ 'Fn::GetAtt': ['AgentLog', 'Arn'] })
    expect(statements.at(-1)!.Condition).toEqual({ Null: { 'lambda:SourceFunctionArn': 'true' } })
  })

  it("run users' code at the configured concurrency", () => {
    const concurrency = (of: Resources) =>
      filterByType(of, 'AWS::Lambda::Function').flatMap(
        ({ Properties }) => Properties.ReservedConcurrentExecutions ?? [],
      )
    expect(concurrency(resources)).toEqual([])
    expect(concurrency(asked)).toEqual([5])
  })

  it('trace only where tracing is enabled', () => {
    expect(JSON.stringify(resources)).not.toContain('xray:')
    for (const { Properties } of filterByType(asked, 'AWS::Lambda::Function'))
      expect(Properties.TracingConfig, Properties.FunctionName).toEqual(
        Properties.FunctionName === 'wharf-dev-run-mutation' ? undefined : { Mode: 'Active' },
      )
    const everywhere = filterByType(asked, 'AWS::IAM::Role')
      .flatMap(getStatements)
      .filter(({ Resource }) => [Resource].flat().includes('*'))
    expect(new Set(everywhere.flatMap(({ Action }) => Action))).toEqual(new Set(EVERYWHERE))
  })
})

describe('data', () => {
  it('in the table can be restored to any second, and expires', () => {
    const { Properties } = resources.Table!
    expect(Properties.PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true })
    expect(Properties.TimeToLiveSpecification).toEqual({ AttributeName: 'expires', Enabled: true })
  })

  it('is encrypted at rest, by a key of the account where configured', () => {
    expect(resources.Bucket!.Properties.BucketEncryption.ServerSideEncryptionConfiguration).toEqual([
      { ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } },
    ])
    expect(resources.DeadLetters!.Properties.SqsManagedSseEnabled).toBe(true)
    expect(String(resources.Table!.Properties.SSESpecification.SSEEnabled)).toBe('false')
    expect(String(asked.Table!.Properties.SSESpecification.SSEEnabled)).toBe('true')
  })

  it.each(['Bucket', 'WebBucket'])('in %s is accessible only with TLS', (id) => {
    const [policy] = filterByType(resources, 'AWS::S3::BucketPolicy').filter(
      ({ Properties }) => Properties.Bucket.Ref === id,
    )
    expect(policy!.Properties.PolicyDocument.Statement).toContainEqual({
      Effect: 'Deny',
      Principal: '*',
      Action: 's3:*',
      Resource: [{ 'Fn::GetAtt': [id, 'Arn'] }, { 'Fn::Sub': `\${${id}.Arn}/*` }],
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    })
  })

  it('in the bucket is not public, and deleted objects can be recovered for a while', () => {
    const { Properties } = resources.Bucket!
    expect(Object.values(Properties.PublicAccessBlockConfiguration)).toEqual([true, true, true, true])
    expect(Properties.OwnershipControls.Rules).toEqual([{ ObjectOwnership: 'BucketOwnerEnforced' }])
    expect(Properties.VersioningConfiguration).toEqual({ Status: 'Enabled' })
    const rules = Properties.LifecycleConfiguration.Rules as {
      NoncurrentVersionExpiration?: { NoncurrentDays: unknown }
    }[]
    expect(rules.flatMap(({ NoncurrentVersionExpiration }) => NoncurrentVersionExpiration ?? [])).toEqual([
      { NoncurrentDays: '14' },
    ])
  })

  it('stays when the stack is deleted', () => {
    for (const id of ['Table', 'Bucket', 'Secret'])
      expect(resources[id], id).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' })
  })

  it('in logs is deleted after a month, including logs of agents', () => {
    const groups = filterByType(resources, 'AWS::Logs::LogGroup')
    expect(groups.map(({ Properties }) => Properties.LogGroupName).toSorted()).toEqual([
      '/aws/lambda/wharf-agents-dev',
      '/aws/lambda/wharf-dev',
      '/aws/lambda/wharf-isolated-dev',
    ])
    for (const { Properties } of groups) expect(Properties.RetentionInDays).toBe(30)
  })
})

describe('asynchronous work', () => {
  it('is caught in a queue when a rule or a schedule cannot deliver it', () => {
    const rules = filterByType(resources, 'AWS::Events::Rule')
    expect(rules.filter(({ Properties }) => Properties.EventPattern).length).toBe(8)
    expect(rules.filter(({ Properties }) => Properties.ScheduleExpression).length).toBe(9)
    for (const { Properties } of rules)
      for (const target of Properties.Targets) {
        expect(target.DeadLetterConfig).toEqual({ Arn: DEAD_LETTERS })
        expect(target.RetryPolicy).toEqual({ MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 })
      }
    const sources = JSON.stringify(resources.DeadLettersPolicy!.Properties.PolicyDocument.Statement)
    expect(sources).toMatch(/rule\/\$\{EventBus\}\/\*/)
    expect(sources.match(/EventsRuleSchedule\d+","Arn"/g)).toHaveLength(9)
  })

  it('is caught in the queue when a function fails after all attempts', () => {
    const targets = filterByType(resources, 'AWS::Events::Rule').flatMap(({ Properties }) => Properties.Targets)
    const called = new Set(targets.map((target) => target.Arn['Fn::GetAtt'][0]))
    let caught = 0
    for (const [id, { Type, Properties }] of Object.entries(resources)) {
      if (Type !== 'AWS::Lambda::Function') continue
      const asynchronous = called.has(id) || CALLED_BY_OTHERS.includes(Properties.FunctionName)
      expect(Properties.DeadLetterConfig, Properties.FunctionName).toEqual(
        asynchronous ? { TargetArn: DEAD_LETTERS } : undefined,
      )
      const allowed = getStatements(resources[Properties.Role['Fn::GetAtt'][0]]!).flatMap(({ Action }) => Action)
      expect(allowed.includes('sqs:SendMessage'), Properties.FunctionName).toBe(asynchronous)
      if (asynchronous) caught++
    }
    expect(caught).toBe(15)
  })
})

it('the API accepts a limited number of requests per second', () => {
  expect(resources.HttpApiStage!.Properties.DefaultRouteSettings).toMatchObject({
    ThrottlingRateLimit: '1000',
    ThrottlingBurstLimit: '2000',
  })
})

describe('alarms', () => {
  const alarms = () => filterByType(resources, 'AWS::CloudWatch::Alarm')
  const runbook = readFileSync(join(ROOT, 'docs/operations/runbook.md'), 'utf8')

  it('stay within the free tier, and each has an entry in the runbook', () => {
    expect(alarms().length).toBe(10)
    const headings = [...runbook.matchAll(/^## (\w+)$/gm)].map(([, name]) => name)
    expect(
      alarms()
        .map(({ Properties }) => Properties.AlarmName.replace('wharf-dev-', ''))
        .toSorted(),
    ).toEqual(headings.toSorted())
    for (const { Properties } of alarms()) {
      const [file, anchor] = Properties.AlarmDescription.split('#')
      expect(file).toBe('docs/operations/runbook.md')
      expect(headings.map((name) => name!.toLowerCase())).toContain(anchor)
    }
  })

  it('watch existing metrics, by the dimension they are emitted with', () => {
    const own = alarms().filter(({ Properties }) => Properties.Namespace === NAMESPACE)
    expect(own.length).toBe(5)
    const filters = filterByType(resources, 'AWS::Logs::MetricFilter').map(({ Properties }) => Properties)
    const counted = filters.flatMap(({ MetricTransformations: [each] }) => each.MetricName)
    expect(filters).toMatchObject([
      {
        LogGroupName: { Ref: 'Log' },
        FilterPattern: '{ $.message = "Request" && $.status = 429 }',
        MetricTransformations: [
          { MetricNamespace: 'Wharf', MetricName: 'Throttled', Dimensions: [{ Key: 'service', Value: '$.service' }] },
        ],
      },
    ])
    for (const { Properties } of own) {
      expect([...Object.keys(METRICS), ...counted]).toContain(Properties.MetricName)
      expect(Properties.Dimensions).toEqual([{ Name: 'service', Value: 'wharf-dev' }])
    }
    expect(Object.keys(METRICS).length + counted.length).toBeLessThanOrEqual(10)
  })

  it('notify a recipient where configured', () => {
    for (const { Properties } of alarms()) expect(Properties.AlarmActions).toEqual([])
    for (const { Properties } of filterByType(asked, 'AWS::CloudWatch::Alarm'))
      expect([Properties.AlarmActions, Properties.OKActions]).toEqual([[TOPIC], [TOPIC]])
  })

  it('are on a dashboard together with imports', () => {
    const body = resources.Dashboard!.Properties.DashboardBody['Fn::Sub']
    const { widgets } = JSON.parse(body) as { widgets: { properties: { title: string; metrics: unknown[][] } }[] }
    const titles = widgets.map(({ properties }) => properties.title)
    for (const { Properties } of alarms()) expect(titles).toContain(Properties.AlarmName.replace('wharf-dev-', ''))
    const shown = widgets.flatMap(({ properties }) => properties.metrics.map(([, name]) => name))
    for (const name of ['Imports', 'Rows', 'AgentRuns', 'EventLag', 'Throttled', 'Errors'])
      expect(shown).toContain(name)
    const references = [...body.matchAll(/\$\{([^}]+)\}/g)].map(([, name]) => name!.split('.')[0]!)
    for (const name of references) expect(name === 'AWS::Region' || name in resources, name).toBe(true)
  })
})

describe('the web application', () => {
  it('is in a bucket that only its distribution reads, only over HTTPS', () => {
    const { Properties } = resources.WebBucket!
    expect(Object.values(Properties.PublicAccessBlockConfiguration)).toEqual([true, true, true, true])
    expect(Properties.BucketEncryption).toBeDefined()
    const [statement, ...more] = resources.WebBucketPolicy!.Properties.PolicyDocument.Statement
    expect(more.map(({ Effect }: { Effect: string }) => Effect)).toEqual(['Deny'])
    expect(statement).toMatchObject({
      Effect: 'Allow',
      Principal: { Service: 'cloudfront.amazonaws.com' },
      Action: 's3:GetObject',
    })
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as CloudFormation has it
    expect(JSON.stringify(statement.Condition)).toContain('distribution/${Web}')
    expect(resources.WebAccess!.Properties.OriginAccessControlConfig.SigningBehavior).toBe('always')
    const { DefaultCacheBehavior, CacheBehaviors, Origins } = resources.Web!.Properties.DistributionConfig
    for (const { ViewerProtocolPolicy } of [DefaultCacheBehavior, ...CacheBehaviors])
      expect(ViewerProtocolPolicy).toMatch(/https/)
    expect(Origins[0].OriginAccessControlId).toEqual({ Ref: 'WebAccess' })
    expect(Origins[1].CustomOriginConfig.OriginProtocolPolicy).toBe('https-only')
  })

  it('has the API at the same address, uncached and with what callers send', () => {
    const { CacheBehaviors } = resources.Web!.Properties.DistributionConfig
    const api = CacheBehaviors.filter(({ TargetOriginId }: { TargetOriginId: string }) => TargetOriginId === 'api')
    expect(api.map(({ PathPattern }: { PathPattern: string }) => PathPattern)).toEqual([
      '/api/*',
      '/v2/*',
      '/docs*',
      '/health*',
      '/.well-known/*',
    ])
    for (const { AllowedMethods, CachePolicyId, OriginRequestPolicyId } of api) {
      expect(AllowedMethods).toContain('DELETE')
      expect(CachePolicyId).toBe('4135ea2d-6df8-44a3-9df3-4b5a84be39ad')
      expect(OriginRequestPolicyId).toBe('b689b0a8-53d0-40ab-baf2-68738e2966ac')
    }
    const [{ Properties }] = functions() as [ReturnType<typeof functions>[number]]
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as CloudFormation has it
    expect(Properties.Environment.Variables.GUEST_URL).toEqual({ 'Fn::Sub': 'https://${Web.DomainName}' })
  })

  it('passes the address of the caller to functions, and no one can forge it', () => {
    const { CacheBehaviors, Origins } = resources.Web!.Properties.DistributionConfig
    const code: string = resources.WebApiViewer!.Properties.FunctionCode
    const handler = new Function(`${code}; return handler`)() as (event: object) => { headers: object }
    const forged = { 'x-wharf-viewer-address': { value: '198.51.100.1' } }
    expect(handler({ viewer: { ip: '203.0.113.7' }, request: { headers: forged } }).headers).toEqual({
      'x-wharf-viewer-address': { value: '203.0.113.7' },
    })
    for (const { TargetOriginId, FunctionAssociations } of CacheBehaviors)
      if (TargetOriginId === 'api')
        expect(FunctionAssociations).toEqual([
          { EventType: 'viewer-request', FunctionARN: { 'Fn::GetAtt': ['WebApiViewer', 'FunctionARN'] } },
        ])
    const secret = { 'Fn::Sub': '{{resolve:secretsmanager:$' + '{WebOriginSecret}:SecretString}}' }
    expect(Origins[1].OriginCustomHeaders).toEqual([{ HeaderName: 'x-wharf-origin-secret', HeaderValue: secret }])
    expect(resources.WebOriginSecret!.Properties.GenerateSecretString.PasswordLength).toBeGreaterThanOrEqual(32)
  })

  it('runs only its own scripts, and only the importer can be framed', () => {
    const policyOf = (id: string): string =>
      JSON.stringify(resources[id]!.Properties.ResponseHeadersPolicyConfig.SecurityHeadersConfig.ContentSecurityPolicy)
    for (const id of ['WebHeaders', 'WebFramedHeaders']) {
      expect(policyOf(id)).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
      expect(policyOf(id)).not.toContain('unsafe')
    }
    expect(policyOf('WebHeaders')).toContain("frame-ancestors 'none'")
    expect(policyOf('WebFramedHeaders')).toContain('frame-ancestors *')
    const { CacheBehaviors, DefaultCacheBehavior } = resources.Web!.Properties.DistributionConfig
    const framed = [DefaultCacheBehavior, ...CacheBehaviors].filter(
      ({ ResponseHeadersPolicyId }) => ResponseHeadersPolicyId?.Ref === 'WebFramedHeaders',
    )
    expect(framed.map(({ PathPattern }) => PathPattern)).toEqual(['/embed'])
  })

  it.each([
    ['/', '/index.html'],
    ['/s/us_sp_1/sheets/us_sh_1', '/index.html'],
    ['/console/us_env_1/keys', '/index.html'],
    ['/embed', '/index.html'],
    ['/assets/index-abc.js', '/assets/index-abc.js'],
    ['/somewhere', '/somewhere'],
    ['/nonsense/x', '/index.html', 'text/html,*/*'],
    ['/favicon.ico', '/favicon.ico', 'text/html,*/*'],
  ])('serves %s with %s', (uri, file, accept = '*/*') => {
    const code: string = resources.WebRoutes!.Properties.FunctionCode
    const handler = new Function(`${code}; return handler`)() as (event: object) => { uri: string }
    expect(handler({ request: { uri, headers: { accept: { value: accept } } } }).uri).toBe(file)
  })
})

describe('a custom domain', () => {
  it('is used when configured, and needs its certificate', async () => {
    expect(filterByType(resources, 'AWS::ApiGatewayV2::DomainName')).toEqual([])
    expect(asked.Domain!.Properties.DomainName).toBe('api.example.com')
    expect(asked.DomainMapping!.Properties).toMatchObject({ Stage: '$default', DomainName: { Ref: 'Domain' } })
    const [each] = filterByType(asked, 'AWS::Lambda::Function')
    expect(JSON.stringify(each!.Properties.Environment)).toContain('"BASE_URL":"https://api.example.com/api"')
    const told = await packageProject(root, { DOMAIN_NAME: DOMAIN.DOMAIN_NAME }).catch(
      (error) => error.stdout + error.stderr,
    )
    expect(told).toMatch(/DOMAIN_NAME needs CERTIFICATE_ARN/)
  }, 60_000)
})
