/** Node's permission flags and the environment variables of a function's process. */
import { REGION } from '../service.ts'

interface Options {
  functionName: string
  codeDir: string
  handler: string
  environment: Record<string, string>
  memoryMegabytes: number
  /** False for functions that run customers' code inside an engine. */
  network: boolean
}

/** Variables with which a function could loosen its permissions or load native code. */
const UNSAFE_VARIABLES = /^(NODE_(OPTIONS|CHANNEL_.*|V8_COVERAGE|REDIRECT_WARNINGS)|OPENSSL_CONF|LD_.*|DYLD_.*)$/

const knownFlags = process.allowedNodeEnvironmentFlags
/** The flag's name depends on the Node version; from Node 25 on it also blocks the network by default. */
const PERMISSION_FLAG = knownFlags.has('--permission') ? '--permission' : '--experimental-permission'
/** Prevents another function from opening a debugger by signal; for older versions see runner.mjs. */
const NO_DEBUGGER = knownFlags.has('--disable-sigusr1') ? ['--disable-sigusr1'] : []

export const buildSandboxFlags = ({ codeDir, memoryMegabytes, network }: Options, runtime: readonly string[]) => [
  PERMISSION_FLAG,
  ...(network && knownFlags.has('--allow-net') ? ['--allow-net'] : []),
  ...NO_DEBUGGER,
  '--disable-warning=ExperimentalWarning',
  `--allow-fs-read=${codeDir}/`,
  ...runtime.map((file) => `--allow-fs-read=${file}`),
  `--max-old-space-size=${memoryMegabytes}`,
]

export const buildSandboxEnvironment = (options: Options): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(options.environment).filter(([name]) => !UNSAFE_VARIABLES.test(name))),
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
