/**
 * The runtime inside a function's own process: loads the handler once, then answers one call at a time over the IPC
 * channel. Plain JavaScript, for it starts under Node's permission flags without a loader. Knows nothing of its host
 * but the messages: `init`, then calls in; `ready`, then results out.
 */
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { format } from 'node:util'

const send = process.send.bind(process)
const writers = [process.stdout, process.stderr].map((stream) => stream.write.bind(stream))
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
Object.defineProperty(process, 'send', { value: undefined })

/** The call being answered, if any. */
let current
let handler
let endOfCall

process.on('message', (message) => (message.type === 'init' ? init(message) : answer(message)))
process.on('disconnect', () => process.exit())
// Node would open a debugger: another function could come into this one.
process.on('SIGUSR1', () => {})
process.on('uncaughtException', (error) => fail(errorPayload(error)))
process.on('unhandledRejection', (reason) =>
  fail({ errorType: 'Runtime.UnhandledPromiseRejection', errorMessage: String(reason), trace: traceOf(reason) }),
)
logLikeLambda()

async function init({ codeDir, handlerName, endMark, network }) {
  endOfCall = `${endMark}\n`
  try {
    if (!network) await import('./no-network.mjs')
    handler = await load(codeDir, handlerName)
    send({ type: 'ready' })
  } catch (error) {
    send({ type: 'ready', failure: JSON.stringify(initPayload(error)) })
  }
}

/** Finds `folder/file.path.to.handler`, as Lambda does: the file ends at the first dot of its base name. */
async function load(codeDir, handlerName) {
  const [file, ...path] = basename(handlerName).split('.')
  const module = await import(pathToFileURL(moduleFile(join(codeDir, dirname(handlerName), file))).href)
  const found = property(module, path) ?? property(module.default, path)
  if (typeof found === 'function') return found
  throw runtimeError('Runtime.HandlerNotFound', `${handlerName} is undefined or not exported`)
}

function moduleFile(path) {
  const file = ['.js', '.mjs', '.cjs'].map((extension) => path + extension).find((candidate) => existsSync(candidate))
  if (file) return file
  throw runtimeError('Runtime.ImportModuleError', `Error: Cannot find module '${basename(path)}'`)
}

const property = (object, path) => path.reduce((value, key) => value?.[key], object)

const runtimeError = (name, message) => Object.assign(new Error(message), { name })

function initPayload(error) {
  if (error instanceof SyntaxError) return { ...errorPayload(error), errorType: 'Runtime.UserCodeSyntaxError' }
  if (!['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(error?.code)) return errorPayload(error)
  return { ...errorPayload(error), errorType: 'Runtime.ImportModuleError', errorMessage: `Error: ${error.message}` }
}

async function answer(call) {
  current = call
  try {
    const result = await run(JSON.parse(call.payload), contextOf(call))
    finish(call, { payload: marshal(result) })
  } catch (error) {
    finish(call, { failed: true, payload: JSON.stringify(errorPayload(error)) })
  }
}

/** Handlers answer with a promise, a value, or through the callback that is their third parameter. */
function run(event, context) {
  return new Promise((resolve, reject) => {
    const callback = (error, result) => (error ? reject(error) : resolve(result))
    const result = handler(event, context, callback)
    if (typeof result?.then === 'function' || handler.length < 3) resolve(result)
  })
}

function marshal(result) {
  try {
    return JSON.stringify(result ?? null) ?? 'null'
  } catch (error) {
    throw runtimeError('Runtime.MarshalError', `Unable to stringify response body: ${error.message}`)
  }
}

/** Ends the call's log on both streams before its result, so that the host has the whole log when it has the result. */
function finish(call, result) {
  if (current !== call) return
  current = undefined
  for (const write of writers) write(endOfCall)
  send({ type: 'result', requestId: call.requestId, ...result })
}

/** What escaped the module or the handler fails the start or the call, and ends the process, as in the cloud. */
function fail(error) {
  process.exitCode = 1
  const payload = JSON.stringify(error)
  if (!handler) return send({ type: 'ready', failure: payload }, () => process.exit())
  if (!current) return process.exit()
  for (const write of writers) write(endOfCall)
  send({ type: 'result', requestId: current.requestId, failed: true, last: true, payload }, () => process.exit())
}

function errorPayload(error) {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: format('%s', error), trace: [] }
  return { errorType: error.name, errorMessage: error.message, trace: traceOf(error) }
}

function traceOf(error) {
  return error instanceof Error ? String(error.stack).split('\n') : []
}

const contextOf = ({ requestId, functionArn, deadline }) => ({
  awsRequestId: requestId,
  callbackWaitsForEmptyEventLoop: true,
  functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
  functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
  invokedFunctionArn: functionArn,
  memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
  logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
  logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
  getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
})

/** Lambda's console: time, request id and level before each message. */
function logLikeLambda() {
  const levels = { log: 'INFO', info: 'INFO', debug: 'DEBUG', trace: 'TRACE', warn: 'WARN', error: 'ERROR' }
  for (const [method, level] of Object.entries(levels)) {
    console[method] = (...values) => {
      const time = new Date().toISOString()
      process.stdout.write(`${time}\t${current?.requestId ?? ''}\t${level}\t${format(...values)}\n`)
    }
  }
}
