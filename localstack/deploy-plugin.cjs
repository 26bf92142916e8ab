'use strict'
/**
 * A Serverless plugin for this machine, idle unless AWS_ENDPOINT_URL is set. Some things differ here from AWS:
 * some LocalStack-compatible servers know TemplateURL only when a stack is made, not when its template is validated, so that
 * step is left out; they know no CloudFront, so the web application is left out; they know no WebSocket APIs either, and live
 * events are then followed by long poll; what enforces roles there does not know the encryption context a key is asked in; where the
 * endpoint has no TLS, a bucket that demands it would refuse everybody; and
 * serverless-offline knows no CloudFormation, so what a variable refers to is taken from the process, and serves live events to anybody,
 * so the embedded cloud does that.
 * CommonJS, because the Serverless Framework loads plugins with `require`.
 */
const VALIDATION = /^aws:deploy:deploy:validateTemplate$/

const withoutSockets = (events) => events?.filter(({ websocket }) => !websocket)

function withoutWebSockets({ functions, provider, resources, custom }) {
  for (const each of Object.values(functions)) each.events = withoutSockets(each.events)
  provider.environment.LIVE_URL = ''
  delete resources.Outputs?.LiveUrl
  // What manages connections has none to name.
  for (const each of Object.values(custom.permissions ?? {})) each.statements = each.statements?.filter(needsNoSocket)
}

const needsNoSocket = (statement) => !JSON.stringify(statement).includes('WebsocketsApi')

function withoutKeyContexts({ custom }) {
  for (const { statements = [] } of Object.values(custom.permissions ?? {}))
    for (const each of statements) if (JSON.stringify(each.Condition ?? '').includes('kms:')) delete each.Condition
}

/** They know no CloudFront: there the web application is not deployed, and links in mails lead to the API's own address. */
function withoutWeb({ provider, resources }) {
  for (const part of [resources.Resources, resources.Outputs ?? {}])
    for (const name of Object.keys(part)) if (name.startsWith('Web')) delete part[name]
  for (const name of ['GUEST_URL', 'CONSOLE_URL', 'ORIGIN_SECRET'])
    if (typeof provider.environment[name] !== 'string') provider.environment[name] = ''
}

/** The API answers at the endpoint itself, not below AWS's domain. */
function atEndpoint({ provider, resources }, endpoint) {
  const url = { 'Fn::Sub': `${endpoint}/_aws/execute-api/\${HttpApi}/$default/api` }
  provider.environment.BASE_URL = url
  if (resources.Outputs) resources.Outputs.ApiUrl.Value = url
}

/** The bucket's policy demands TLS and nothing else. */
function withoutTls({ resources }, endpoint) {
  if (endpoint.startsWith('http:')) delete resources.Resources.BucketPolicy
}

module.exports = class LocalMachine {
  constructor(serverless) {
    this.hooks = {}
    if (!process.env.AWS_ENDPOINT_URL) return
    const { service, pluginManager } = serverless
    this.hooks.initialize = () => {
      if (!pluginManager.cliCommands?.includes('offline')) {
        withoutWebSockets(service)
        withoutKeyContexts(service)
        withoutWeb(service)
        withoutTls(service, process.env.AWS_ENDPOINT_URL)
        atEndpoint(service, process.env.AWS_ENDPOINT_URL)
      }
      for (const name of Object.keys(pluginManager.hooks)) if (VALIDATION.test(name)) pluginManager.hooks[name] = []
    }
    this.hooks['before:offline:start:init'] = () => {
      for (const each of Object.values(service.functions)) each.events = withoutSockets(each.events)
      const { environment } = service.provider
      for (const name of Object.keys(environment)) environment[name] = process.env[name] ?? environment[name]
    }
  }
}
