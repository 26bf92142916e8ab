/**
 * How a function's process is started: Node's permission flags for the version at hand, and the environment variables
 * it gets. Pure.
 */
import { REGION } from '../service.ts'

interface Options {
  functionName: string
  codeDir: string
  handler: string
  environment: Record<string, string>
  memoryMegabytes: number
  /** Functions that run customers' code inside an engine have none. */
  network: boolean
}

/** Variables through which a function could loosen its own permissions or load native code into its process. */
const LOOSENS_SANDBOX = /^(NODE_(OPTIONS|CHANNEL_.*|V8_COVERAGE|REDIRECT_WARNINGS)|OPENSSL_CONF|LD_.*|DYLD_.*)$/

const known = process.allowedNodeEnvironmentFlags
/** Renamed when it left its experiment; from Node 25 on it shuts the network too, unless told otherwise. */
const PERMISSION_FLAG = known.has('--permission') ? '--permission' : '--experimental-permission'
/** No debugger by a signal of another function, from the first moment on; older Nodes: runner.mjs. */
const NO_DEBUGGER = known.has('--disable-sigusr1') ? ['--disable-sigusr1'] : []

export const sandboxFlags = ({ codeDir, memoryMegabytes, network }: Options, runtime: readonly string[]) => [
  PERMISSION_FLAG,
  ...(network && known.has('--allow-net') ? ['--allow-net'] : []),
  ...NO_DEBUGGER,
  '--disable-warning=ExperimentalWarning',
  `--allow-fs-read=${codeDir}/`,
  ...runtime.map((file) => `--allow-fs-read=${file}`),
  `--max-old-space-size=${memoryMegabytes}`,
]

/** The function's own variables and those that Lambda sets, nothing of the host's. */
export const sandboxEnvironment = (options: Options): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(options.environment).filter(([name]) => !LOOSENS_SANDBOX.test(name))),
  _HANDLER: options.handler,
  AWS_DEFAULT_REGION: REGION,
  AWS_REGION: REGION,
  AWS_EXECUTION_ENV: `AWS_Lambda_nodejs${process.versions.node.split('.')[0]}.x`,
  AWS_LAMBDA_FUNCTION_NAME: options.functionName,
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(options.memoryMegabytes),
  AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${options.functionName}`,
  AWS_LAMBDA_LOG_STREAM_NAME: 'local',
  LAMBDA_TASK_ROOT: options.codeDir,
  TZ: ':UTC',
})
