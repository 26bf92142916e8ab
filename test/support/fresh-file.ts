/** For test files of one process: each gets the original environment and fresh modules, except the unchanging contracts. */
import { resolve } from 'node:path'
import { vi } from 'vitest'

interface LoadedModule {
  exports?: unknown
  promise?: unknown
  evaluated?: boolean
}
const worker = globalThis as {
  originalEnvironment?: NodeJS.ProcessEnv
  __vitest_worker__?: { evaluatedModules: { idToModuleMap: Map<string, LoadedModule> } }
}
const CONTRACTS = new RegExp(`^${resolve(import.meta.dirname, '../../schemas')}/`)
worker.originalEnvironment ??= { ...process.env }
for (const name of Object.keys(process.env)) if (!(name in worker.originalEnvironment)) delete process.env[name]
Object.assign(process.env, worker.originalEnvironment)
vi.useRealTimers()
vi.restoreAllMocks()
const modules = [...(worker.__vitest_worker__?.evaluatedModules.idToModuleMap ?? [])]
const contracts = modules.flatMap(([path, module]) =>
  CONTRACTS.test(path) && module.evaluated ? [[module, { ...module }] as const] : [],
)
vi.resetModules()
for (const [module, { exports, promise, evaluated }] of contracts)
  Object.assign(module, { exports, promise, evaluated })
