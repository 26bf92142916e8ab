'use strict'
/**
 * A Serverless plugin. Each function gets the permissions its code needs and no other: functions/permissions.yml says which
 * source needs which, dist/packages/sources.json (written by scripts/build.ts) which sources each bundle holds. Functions
 * with equal permissions share a role. What is called without anybody waiting keeps what failed in the queue of dead letters.
 * CommonJS, because the Serverless Framework loads plugins with `require`.
 */
const { existsSync, readFileSync } = require('node:fs')
const { join } = require('node:path')

const SOURCES = join('dist', 'packages', 'sources.json')
const DEAD_LETTERS = { 'Fn::GetAtt': ['DeadLetters', 'Arn'] }
/** A day, after which EventBridge gives up. */
const DELIVERY = { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 }

module.exports = class Roles {
  constructor(serverless) {
    this.serverless = serverless
    this.hooks = {
      'before:package:setupProviderConfiguration': () => this.makeRoles(),
      'after:package:compileEvents': () => {
        this.useLog()
        this.catchUndelivered()
      },
    }
  }

  makeRoles() {
    const { service, serviceDir, classes } = this.serverless
    const path = join(serviceDir, SOURCES)
    if (!existsSync(path)) throw new classes.Error(`${SOURCES} is missing: run "npm run build" first.`)
    const sources = JSON.parse(readFileSync(path, 'utf8'))
    const roles = new Map()
    for (const [key, definition] of Object.entries(service.functions)) {
      if (!sources[key]) throw new classes.Error(`${SOURCES} knows no ${key}: run "npm run build" again.`)
      const names = this.permissionsOf(sources[key])
      if (isAsynchronous(definition)) {
        definition.onError = DEAD_LETTERS
        names.push('deadLetters')
      }
      // The stack has one log for all.
      definition.disableLogs = true
      definition.role = `Role${names.map(capital).join('')}`
      roles.set(definition.role, names)
    }
    for (const [id, names] of roles) service.resources.Resources[id] = this.roleOf(names)
  }

  permissionsOf(sources) {
    const { permissions } = this.serverless.service.custom
    const holds = (each) => sources.some((source) => source === each || (each.endsWith('/') && source.startsWith(each)))
    return Object.keys(permissions).filter((name) => permissions[name].sources.some(holds))
  }

  roleOf(names) {
    const { permissions, tracing } = this.serverless.service.custom
    const all = { ...permissions, deadLetters: { statements: [allow('sqs:SendMessage', DEAD_LETTERS)] } }
    const traces = tracing === 'Active' ? [allow(TRACE, '*')] : []
    const Statement = [
      allow(WRITE_LOG, { 'Fn::GetAtt': ['Log', 'Arn'] }),
      ...names.flatMap((name) => all[name].statements),
      ...traces,
    ]
    return {
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: {
          Version: '2012-10-17',
          Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
        },
        Policies: [{ PolicyName: 'needed', PolicyDocument: { Version: '2012-10-17', Statement } }],
      },
    }
  }

  useLog() {
    const { Resources } = this.serverless.service.provider.compiledCloudFormationTemplate
    for (const { Type, Properties } of Object.values(Resources))
      if (Type === 'AWS::Lambda::Function') Properties.LoggingConfig = { LogGroup: { Ref: 'Log' } }
  }

  /** Schedules too: the framework knows a queue for patterns only. */
  catchUndelivered() {
    const { Resources } = this.serverless.service.provider.compiledCloudFormationTemplate
    for (const { Type, Properties } of Object.values(Resources)) {
      if (Type !== 'AWS::Events::Rule') continue
      for (const target of Properties.Targets) {
        target.DeadLetterConfig ??= { Arn: DEAD_LETTERS }
        target.RetryPolicy ??= DELIVERY
      }
    }
  }
}

/** Called by a rule, by a schedule, or by another function that does not wait, whose failures serverless.yml sends somewhere. */
const isAsynchronous = ({ events = [], onError }) =>
  onError !== undefined || events.some((event) => event.eventBridge || event.schedule)

const capital = (name) => name[0].toUpperCase() + name.slice(1)
const allow = (Action, Resource) => ({ Effect: 'Allow', Action, Resource })
const WRITE_LOG = ['logs:CreateLogStream', 'logs:PutLogEvents']
/** X-Ray has no resources to name. */
const TRACE = ['xray:PutTraceSegments', 'xray:PutTelemetryRecords']
