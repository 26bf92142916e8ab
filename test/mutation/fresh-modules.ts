/**
 * Where test files share a process: each has the project's modules for itself and shares only the packages'. Random tests
 * draw the same cases each time.
 */
import fc from 'fast-check'
import { vi } from 'vitest'

vi.resetModules()
fc.configureGlobal({ seed: 22 })
