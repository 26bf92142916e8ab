/** The runtime inside a function's process. Plain JavaScript, because it starts without a loader. */
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { format } from 'node:util'

const send = process.send.bind(process)
const writers = [process.stdout, process.stderr].map((stream) => stream.write.bind(stream))
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
Object.defineProperty(process, 'send', { value: undefined })

let current
let handler
let endOfCall

process.on('message', (message) => (message.type === 'init' ? init(message) : handleCall(message)))
process.on('disconnect', () => process.exit())
// By default Node would open a debugger, through which another function could get in.
process.on('SIGUSR1', () => {})
process.on('uncaughtException', (error) => fail(buildErrorPayload(error)))
process.on('unhandledRejection', (reason) =>
  fail({ errorType: 'Runtime.UnhandledPromiseRejection', errorMessage: String(reason), trace: formatTrace(reason) }),
)
logLikeLambda()

async function init({ codeDir, handlerName, endMark, network }) {
  endOfCall = `${endMark}\n`
  try {
    if (!network) await import('./no-network.mjs')
    handler = await loadHandler(codeDir, handlerName)
    send({ type: 'ready' })
  } catch (error) {
    send({ type: 'ready', failure: JSON.stringify(buildInitErrorPayload(error)) })
  }
}

async function loadHandler(codeDir, handlerName) {
  const [file, ...path] = basename(handlerName).split('.')
  const module = await import(pathToFileURL(findModuleFile(join(codeDir, dirname(handlerName), file))).href)
  const loaded = readPath(module, path) ?? readPath(module.default, path)
  if (typeof loaded === 'function') return loaded
  throw createRuntimeError('Runtime.HandlerNotFound', `${handlerName} is undefined or not exported`)
}

function findModuleFile(path) {
  const file = ['.js', '.mjs', '.cjs'].map((extension) => path + extension).find((candidate) => existsSync(candidate))
  if (file) return file
  throw createRuntimeError('Runtime.ImportModuleError', `Error: Cannot find module '${basename(path)}'`)
}

const readPath = (object, path) => path.reduce((value, key) => value?.[key], object)

const createRuntimeError = (name, message) => Object.assign(new Error(message), { name })

function buildInitErrorPayload(error) {
  if (error instanceof SyntaxError) return { ...buildErrorPayload(error), errorType: 'Runtime.UserCodeSyntaxError' }
  if (!['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(error?.code)) return buildErrorPayload(error)
  return {
    ...buildErrorPayload(error),
    errorType: 'Runtime.ImportModuleError',
    errorMessage: `Error: ${error.message}`,
  }
}

async function handleCall(call) {
  current = call
  try {
    const result = await callHandler(JSON.parse(call.payload), createContext(call))
    finish(call, { payload: serializeResult(result) })
  } catch (error) {
    finish(call, { failed: true, payload: JSON.stringify(buildErrorPayload(error)) })
  }
}

function callHandler(event, context) {
  return new Promise((resolve, reject) => {
    const callback = (error, result) => (error ? reject(error) : resolve(result))
    const result = handler(event, context, callback)
    if (typeof result?.then === 'function' || handler.length < 3) resolve(result)
  })
}

function serializeResult(result) {
  try {
    return JSON.stringify(result ?? null) ?? 'null'
  } catch (error) {
    throw createRuntimeError('Runtime.MarshalError', `Unable to stringify response body: ${error.message}`)
  }
}

/** Marks the end of the log before sending the result, so that the host has the full log by then. */
function finish(call, result) {
  if (current !== call) return
  current = undefined
  for (const write of writers) write(endOfCall)
  send({ type: 'result', requestId: call.requestId, ...result })
}

function fail(error) {
  process.exitCode = 1
  const payload = JSON.stringify(error)
  if (!handler) return send({ type: 'ready', failure: payload }, () => process.exit())
  if (!current) return process.exit()
  for (const write of writers) write(endOfCall)
  send({ type: 'result', requestId: current.requestId, failed: true, last: true, payload }, () => process.exit())
}

function buildErrorPayload(error) {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: format('%s', error), trace: [] }
  return { errorType: error.name, errorMessage: error.message, trace: formatTrace(error) }
}

function formatTrace(error) {
  return error instanceof Error ? String(error.stack).split('\n') : []
}

const createContext = ({ requestId, functionArn, deadline }) => ({
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

function logLikeLambda() {
  const levels = { log: 'INFO', info: 'INFO', debug: 'DEBUG', trace: 'TRACE', warn: 'WARN', error: 'ERROR' }
  for (const [method, level] of Object.entries(levels)) {
    console[method] = (...values) => {
      const time = new Date().toISOString()
      process.stdout.write(`${time}\t${current?.requestId ?? ''}\t${level}\t${format(...values)}\n`)
    }
  }
}
