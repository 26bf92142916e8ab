/** What the template promises: nothing open, nothing unencrypted, nothing lost, somebody told. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { METRICS, NAMESPACE } from '../../lib/core/metrics.ts'
import { ofType, packaged, project, type Resources, ROOT, statementsOf } from '../support/packaged.ts'

const scratch = mkdtempSync(join(tmpdir(), 'wharf-template-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** What AWS offers nothing narrower for: X-Ray takes traces without a resource. */
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
/** The same with everything that may be asked for. */
let asked: Resources
const functions = () => ofType(resources, 'AWS::Lambda::Function')

beforeAll(async () => {
  root = project(join(scratch, 'real'), readFileSync(join(ROOT, 'functions/http.yml'), 'utf8'))
  resources = await packaged(root)
  asked = await packaged(root, {
    TRACING: 'Active',
    TABLE_KMS: 'true',
    ALARM_TOPIC: TOPIC,
    MUTATION_CONCURRENCY: '5',
    ...DOMAIN,
  })
}, 120_000)

describe('roles', () => {
  it('allow no action and no resource by a star', () => {
    const statements = ofType(resources, 'AWS::IAM::Role').flatMap(statementsOf)
    expect(statements.length).toBeGreaterThan(5)
    for (const { Action, Resource } of statements) {
      for (const action of [Action].flat()) expect(action).not.toContain('*')
      expect([Resource].flat(), JSON.stringify(Action)).not.toContain('*')
    }
  })

  it('are one for each set of permissions, and no function is without', () => {
    for (const { Properties } of functions())
      expect(resources[Properties.Role['Fn::GetAtt'][0]]?.Type).toBe('AWS::IAM::Role')
    expect(resources.IamRoleLambdaExecution).toBeUndefined()
  })

  it('let agents write the log of agents and tell of their outcome, nothing else', () => {
    const statements = statementsOf(resources.AgentRole!)
    expect(statements.flatMap(({ Action }) => Action)).toEqual([
      'logs:CreateLogStream',
      'logs:PutLogEvents',
      'lambda:InvokeFunction',
    ])
    expect(statements[0]!.Resource).toEqual({ 'Fn::GetAtt': ['AgentLog', 'Arn'] })
    expect(statements.at(-1)!.Condition).toEqual({ Null: { 'lambda:SourceFunctionArn': 'true' } })
  })

  it("run users' code as often at a time as asked", () => {
    const concurrency = (of: Resources) =>
      ofType(of, 'AWS::Lambda::Function').flatMap(({ Properties }) => Properties.ReservedConcurrentExecutions ?? [])
    expect(concurrency(resources)).toEqual([])
    expect(concurrency(asked)).toEqual([5])
  })

  it('trace only where that is asked for', () => {
    expect(JSON.stringify(resources)).not.toContain('xray:')
    for (const { Properties } of ofType(asked, 'AWS::Lambda::Function'))
      expect(Properties.TracingConfig, Properties.FunctionName).toEqual(
        Properties.FunctionName === 'wharf-dev-run-mutation' ? undefined : { Mode: 'Active' },
      )
    const everywhere = ofType(asked, 'AWS::IAM::Role')
      .flatMap(statementsOf)
      .filter(({ Resource }) => [Resource].flat().includes('*'))
    expect(new Set(everywhere.flatMap(({ Action }) => Action))).toEqual(new Set(EVERYWHERE))
  })
})

describe('data', () => {
  it('of the table can be restored to any second, and expires', () => {
    const { Properties } = resources.Table!
    expect(Properties.PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true })
    expect(Properties.TimeToLiveSpecification).toEqual({ AttributeName: 'expires', Enabled: true })
  })

  it('is encrypted at rest, by a key of the account where that is asked for', () => {
    expect(resources.Bucket!.Properties.BucketEncryption.ServerSideEncryptionConfiguration).toEqual([
      { ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } },
    ])
    expect(resources.DeadLetters!.Properties.SqsManagedSseEnabled).toBe(true)
    expect(String(resources.Table!.Properties.SSESpecification.SSEEnabled)).toBe('false')
    expect(String(asked.Table!.Properties.SSESpecification.SSEEnabled)).toBe('true')
  })

  it.each(['Bucket', 'WebBucket'])('of %s is refused to everybody without TLS', (id) => {
    const [policy] = ofType(resources, 'AWS::S3::BucketPolicy').filter(({ Properties }) => Properties.Bucket.Ref === id)
    expect(policy!.Properties.PolicyDocument.Statement).toContainEqual({
      Effect: 'Deny',
      Principal: '*',
      Action: 's3:*',
      Resource: [{ 'Fn::GetAtt': [id, 'Arn'] }, { 'Fn::Sub': `\${${id}.Arn}/*` }],
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    })
  })

  it('of the bucket is closed to the public, and what is deleted can be got back for a while', () => {
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

  it('of logs goes after a month, that of agents too', () => {
    const groups = ofType(resources, 'AWS::Logs::LogGroup')
    expect(groups.map(({ Properties }) => Properties.LogGroupName).toSorted()).toEqual([
      '/aws/lambda/wharf-agents-dev',
      '/aws/lambda/wharf-dev',
      '/aws/lambda/wharf-isolated-dev',
    ])
    for (const { Properties } of groups) expect(Properties.RetentionInDays).toBe(30)
  })
})

describe('what nobody waits for', () => {
  it('is caught in a queue where a rule or a schedule cannot deliver it', () => {
    const rules = ofType(resources, 'AWS::Events::Rule')
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

  it('is caught there when a function fails after all attempts', () => {
    const targets = ofType(resources, 'AWS::Events::Rule').flatMap(({ Properties }) => Properties.Targets)
    const called = new Set(targets.map((target) => target.Arn['Fn::GetAtt'][0]))
    let caught = 0
    for (const [id, { Type, Properties }] of Object.entries(resources)) {
      if (Type !== 'AWS::Lambda::Function') continue
      const asynchronous = called.has(id) || CALLED_BY_OTHERS.includes(Properties.FunctionName)
      expect(Properties.DeadLetterConfig, Properties.FunctionName).toEqual(
        asynchronous ? { TargetArn: DEAD_LETTERS } : undefined,
      )
      const allowed = statementsOf(resources[Properties.Role['Fn::GetAtt'][0]]!).flatMap(({ Action }) => Action)
      expect(allowed.includes('sqs:SendMessage'), Properties.FunctionName).toBe(asynchronous)
      if (asynchronous) caught++
    }
    expect(caught).toBe(15)
  })
})

it('the API takes a limited number of requests a second', () => {
  expect(resources.HttpApiStage!.Properties.DefaultRouteSettings).toMatchObject({
    ThrottlingRateLimit: '1000',
    ThrottlingBurstLimit: '2000',
  })
})

describe('alarms', () => {
  const alarms = () => ofType(resources, 'AWS::CloudWatch::Alarm')
  const runbook = readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8')

  it('are so few that they are free, and each has its entry in the runbook', () => {
    expect(alarms().length).toBe(10)
    const headings = [...runbook.matchAll(/^## (\w+)$/gm)].map(([, name]) => name)
    expect(
      alarms()
        .map(({ Properties }) => Properties.AlarmName.replace('wharf-dev-', ''))
        .toSorted(),
    ).toEqual(headings.toSorted())
    for (const { Properties } of alarms()) {
      const [file, anchor] = Properties.AlarmDescription.split('#')
      expect(file).toBe('docs/runbook.md')
      expect(headings.map((name) => name!.toLowerCase())).toContain(anchor)
    }
  })

  it('watch metrics that there are, by the dimension they are told with', () => {
    const own = alarms().filter(({ Properties }) => Properties.Namespace === NAMESPACE)
    expect(own.length).toBe(5)
    const filters = ofType(resources, 'AWS::Logs::MetricFilter').map(({ Properties }) => Properties)
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

  it('tell somebody where that is asked for', () => {
    for (const { Properties } of alarms()) expect(Properties.AlarmActions).toEqual([])
    for (const { Properties } of ofType(asked, 'AWS::CloudWatch::Alarm'))
      expect([Properties.AlarmActions, Properties.OKActions]).toEqual([[TOPIC], [TOPIC]])
  })

  it('stand on a dashboard together with what was imported', () => {
    const body = resources.Dashboard!.Properties.DashboardBody['Fn::Sub']
    const { widgets } = JSON.parse(body) as { widgets: { properties: { title: string; metrics: unknown[][] } }[] }
    const titles = widgets.map(({ properties }) => properties.title)
    for (const { Properties } of alarms()) expect(titles).toContain(Properties.AlarmName.replace('wharf-dev-', ''))
    const shown = widgets.flatMap(({ properties }) => properties.metrics.map(([, name]) => name))
    for (const name of ['Imports', 'Rows', 'AgentRuns', 'EventLag', 'Throttled', 'Errors'])
      expect(shown).toContain(name)
    // What CloudFormation puts in is there, and nothing else is taken for a reference.
    const references = [...body.matchAll(/\$\{([^}]+)\}/g)].map(([, name]) => name!.split('.')[0]!)
    for (const name of references) expect(name === 'AWS::Region' || name in resources, name).toBe(true)
  })
})

describe('the web application', () => {
  it('lies in a bucket that nobody but its distribution reads, over HTTPS alone', () => {
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

  it('tells functions the address of the caller, which nobody else can name', () => {
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

  it('runs its own scripts alone, and only the importer may stand in a frame', () => {
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
  ])('answers %s with %s', (uri, file) => {
    const code: string = resources.WebRoutes!.Properties.FunctionCode
    const handler = new Function(`${code}; return handler`)() as (event: object) => { uri: string }
    expect(handler({ request: { uri } }).uri).toBe(file)
  })
})

describe('a domain of its own', () => {
  it('is used where it is named, and needs its certificate', async () => {
    expect(ofType(resources, 'AWS::ApiGatewayV2::DomainName')).toEqual([])
    expect(asked.Domain!.Properties.DomainName).toBe('api.example.com')
    expect(asked.DomainMapping!.Properties).toMatchObject({ Stage: '$default', DomainName: { Ref: 'Domain' } })
    const [each] = ofType(asked, 'AWS::Lambda::Function')
    expect(JSON.stringify(each!.Properties.Environment)).toContain('"BASE_URL":"https://api.example.com/api"')
    const told = await packaged(root, { DOMAIN_NAME: DOMAIN.DOMAIN_NAME }).catch((error) => error.stdout + error.stderr)
    expect(told).toMatch(/DOMAIN_NAME needs CERTIFICATE_ARN/)
  }, 60_000)
})
