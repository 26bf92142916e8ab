/** For test files that share a process: isolates the project's modules per file and fixes the seed of random tests. */
import fc from 'fast-check'
import { vi } from 'vitest'

vi.resetModules()
fc.configureGlobal({ seed: 22 })
