'use strict'
/**
 * Serverless plugin: grants each function only the permissions and secrets its code needs, by functions/permissions.yml
 * and the sources in each bundle. Functions with equal permissions share a role.
 * Functions in `custom.isolated` run customers' code: they have no variables and can only write to a separate log.
 */
const { existsSync, readFileSync } = require('node:fs')
const { join } = require('node:path')

const SOURCES = join('dist', 'packages', 'sources.json')
const DEAD_LETTERS = { 'Fn::GetAtt': ['DeadLetters', 'Arn'] }
const DELIVERY = { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 }

module.exports = class Roles {
  constructor(serverless) {
    this.serverless = serverless
    this.hooks = {
      'before:package:setupProviderConfiguration': () => this.makeRoles(),
      'after:package:compileEvents': () => {
        this.useLog()
        this.catchUndelivered()
        this.withholdVariables()
        this.isolate()
      },
    }
  }

  readSources() {
    const { serviceDir, classes } = this.serverless
    const path = join(serviceDir, SOURCES)
    if (!existsSync(path)) throw new classes.Error(`${SOURCES} is missing: run "npm run build" first.`)
    this.sources = JSON.parse(readFileSync(path, 'utf8'))
  }

  makeRoles() {
    const { service, classes } = this.serverless
    this.readSources()
    const roles = new Map()
    for (const [key, definition] of Object.entries(service.functions)) {
      if (!this.sources[key]) throw new classes.Error(`${SOURCES} does not contain ${key}: run "npm run build" again.`)
      const names = this.permissionsOf(this.sources[key]).filter((name) => this.statementsOf(name).length > 0)
      if (service.custom.isolated.includes(key)) {
        if (names.length > 0)
          throw new classes.Error(`${key} is isolated, but its code needs the permissions ${names}.`)
        definition.disableLogs = true
        definition.role = ISOLATED_ROLE
        continue
      }
      if (isAsynchronous(definition)) {
        definition.onError = DEAD_LETTERS
        names.push('deadLetters')
      }
      definition.disableLogs = true
      definition.role = `Role${names.map(capital).join('')}`
      roles.set(definition.role, names)
    }
    for (const [id, names] of roles) service.resources.Resources[id] = this.roleOf(names)
    service.resources.Resources[ISOLATED_ROLE] = roleWith([allow(WRITE_LOG, ISOLATED_LOG_ARN)])
  }

  permissionsOf(sources) {
    const { permissions } = this.serverless.service.custom
    const holds = (each) => sources.some((source) => source === each || (each.endsWith('/') && source.startsWith(each)))
    return Object.keys(permissions).filter((name) => permissions[name].sources.some(holds))
  }

  statementsOf(name) {
    if (name === 'deadLetters') return [allow('sqs:SendMessage', DEAD_LETTERS)]
    const { statements = [], invokes } = this.serverless.service.custom.permissions[name]
    return invokes === 'routes' ? [...statements, allow('lambda:InvokeFunction', this.routedFunctions())] : statements
  }

  /** By full name: the pattern `wharf-dev-*` would also match functions of a stage named `dev-2`. */
  routedFunctions() {
    const routed = Object.values(this.serverless.service.functions).filter(({ events = [] }) =>
      events.some(({ httpApi }) => httpApi),
    )
    return routed.map(({ name }) => ({
      'Fn::Sub': `arn:\${AWS::Partition}:lambda:\${AWS::Region}:\${AWS::AccountId}:function:${name}`,
    }))
  }

  roleOf(names) {
    const { tracing } = this.serverless.service.custom
    const traces = tracing === 'Active' ? [allow(TRACE, '*')] : []
    const Statement = [
      allow(WRITE_LOG, { 'Fn::GetAtt': ['Log', 'Arn'] }),
      ...names.flatMap((name) => this.statementsOf(name)),
      ...traces,
    ]
    return roleWith(Statement)
  }

  useLog() {
    const { Resources } = this.serverless.service.provider.compiledCloudFormationTemplate
    for (const { Type, Properties } of Object.values(Resources))
      if (Type === 'AWS::Lambda::Function') Properties.LoggingConfig = { LogGroup: { Ref: 'Log' } }
  }

  /** Tracing would need a permission. */
  isolate() {
    const { service } = this.serverless
    const { naming } = this.serverless.getProvider('aws')
    const { Resources } = service.provider.compiledCloudFormationTemplate
    for (const key of service.custom.isolated) {
      const { Properties } = Resources[naming.getLambdaLogicalId(key)]
      delete Properties.Environment
      delete Properties.TracingConfig
      Properties.LoggingConfig = { LogGroup: { Ref: 'IsolatedLog' } }
      const { mutationConcurrency } = service.custom
      if (mutationConcurrency !== '') Properties.ReservedConcurrentExecutions = Number(mutationConcurrency)
    }
  }

  catchUndelivered() {
    const { provider, resources } = this.serverless.service
    const { Resources } = provider.compiledCloudFormationTemplate
    const rules = Object.entries(Resources).filter(([, { Type }]) => Type === 'AWS::Events::Rule')
    for (const [, { Properties }] of rules)
      for (const target of Properties.Targets) {
        target.DeadLetterConfig ??= { Arn: DEAD_LETTERS }
        target.RetryPolicy ??= DELIVERY
      }
    const [statement] = resources.Resources.DeadLettersPolicy?.Properties.PolicyDocument.Statement ?? []
    const schedules = rules.filter(([, { Properties }]) => Properties.ScheduleExpression)
    // Agents' rules are created at run time on the stack's own bus; schedules are on the default bus, which all stacks
    // share.
    statement?.Condition.ArnLike['aws:SourceArn'].push(...schedules.map(([id]) => ({ 'Fn::GetAtt': [id, 'Arn'] })))
  }

  /** The framework gives every function all variables of the provider. */
  withholdVariables() {
    const { service, provider } = { service: this.serverless.service, provider: this.serverless.getProvider('aws') }
    const { Resources } = service.provider.compiledCloudFormationTemplate
    const { permissions } = service.custom
    for (const key of Object.keys(service.functions)) {
      const held = new Set(this.permissionsOf(this.sources[key]))
      const { Environment } = Resources[provider.naming.getLambdaLogicalId(key)].Properties
      for (const [name, { variables = [] }] of Object.entries(permissions))
        if (!held.has(name)) for (const variable of variables) delete Environment?.Variables?.[variable]
    }
  }
}

const isAsynchronous = ({ events = [], onError }) =>
  onError !== undefined || events.some((event) => event.eventBridge || event.schedule)

const ISOLATED_ROLE = 'RoleIsolated'
const ISOLATED_LOG_ARN = { 'Fn::GetAtt': ['IsolatedLog', 'Arn'] }

const roleWith = (Statement) => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
    },
    Policies: [{ PolicyName: 'needed', PolicyDocument: { Version: '2012-10-17', Statement } }],
  },
})
const capital = (name) => name[0].toUpperCase() + name.slice(1)
const allow = (Action, Resource) => ({ Effect: 'Allow', Action, Resource })
const WRITE_LOG = ['logs:CreateLogStream', 'logs:PutLogEvents']
const TRACE = ['xray:PutTraceSegments', 'xray:PutTelemetryRecords']
