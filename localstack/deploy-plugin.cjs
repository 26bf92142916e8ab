'use strict'
/**
 * A Serverless plugin for LocalStack-compatible servers and serverless-offline, inactive without AWS_ENDPOINT_URL.
 * Those servers lack CloudFront, WebSocket APIs, KMS encryption contexts and template validation by URL.
 * CommonJS, because the Serverless Framework loads plugins with `require`.
 */
const VALIDATION = /^aws:deploy:deploy:validateTemplate$/

const removeWebSocketEvents = (events) => events?.filter(({ websocket }) => !websocket)

function removeWebSockets({ functions, provider, resources, custom }) {
  for (const definition of Object.values(functions)) definition.events = removeWebSocketEvents(definition.events)
  provider.environment.LIVE_URL = ''
  delete resources.Outputs?.LiveUrl
  // Permissions to manage connections have no WebSocket API to refer to.
  for (const permission of Object.values(custom.permissions ?? {}))
    permission.statements = permission.statements?.filter(needsNoSocket)
}

const needsNoSocket = (statement) => !JSON.stringify(statement).includes('WebsocketsApi')

function removeKeyContexts({ custom }) {
  for (const { statements = [] } of Object.values(custom.permissions ?? {}))
    for (const statement of statements)
      if (JSON.stringify(statement.Condition ?? '').includes('kms:')) delete statement.Condition
}

/** LocalStack-compatible servers have no CloudFront, so links in mails use the API's address. */
function removeWebApplication({ provider, resources }) {
  for (const section of [resources.Resources, resources.Outputs ?? {}])
    for (const name of Object.keys(section)) if (name.startsWith('Web')) delete section[name]
  for (const name of ['GUEST_URL', 'CONSOLE_URL', 'ORIGIN_SECRET'])
    if (typeof provider.environment[name] !== 'string') provider.environment[name] = ''
}

function useEndpoint({ provider, resources }, endpoint) {
  const url = { 'Fn::Sub': `${endpoint}/_aws/execute-api/\${HttpApi}/$default/api` }
  provider.environment.BASE_URL = url
  if (resources.Outputs) resources.Outputs.ApiUrl.Value = url
}

/** The bucket policy only requires TLS, so without TLS it would deny every request. */
function removeTlsPolicy({ resources }, endpoint) {
  if (endpoint.startsWith('http:')) delete resources.Resources.BucketPolicy
}

module.exports = class LocalMachine {
  constructor(serverless) {
    this.hooks = {}
    if (!process.env.AWS_ENDPOINT_URL) return
    const { service, pluginManager } = serverless
    this.hooks.initialize = () => {
      if (!pluginManager.cliCommands?.includes('offline')) {
        removeWebSockets(service)
        removeKeyContexts(service)
        removeWebApplication(service)
        removeTlsPolicy(service, process.env.AWS_ENDPOINT_URL)
        useEndpoint(service, process.env.AWS_ENDPOINT_URL)
      }
      for (const name of Object.keys(pluginManager.hooks)) if (VALIDATION.test(name)) pluginManager.hooks[name] = []
    }
    this.hooks['before:offline:start:init'] = () => {
      for (const definition of Object.values(service.functions))
        definition.events = removeWebSocketEvents(definition.events)
      const { environment } = service.provider
      for (const name of Object.keys(environment)) environment[name] = process.env[name] ?? environment[name]
    }
  }
}
