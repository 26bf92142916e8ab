/** For test files that share a process: each loads the project's modules again and gets the original environment. */
import { vi } from 'vitest'

const worker = globalThis as { originalEnvironment?: NodeJS.ProcessEnv }
worker.originalEnvironment ??= { ...process.env }
for (const name of Object.keys(process.env)) if (!(name in worker.originalEnvironment)) delete process.env[name]
Object.assign(process.env, worker.originalEnvironment)
vi.useRealTimers()
vi.restoreAllMocks()
vi.resetModules()
