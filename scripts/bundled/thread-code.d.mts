import type { Plugin } from 'esbuild'

export const THREAD_SOURCES: readonly string[]
export const threadCode: Plugin
export const threadCodeInTests: {
  name: string
  enforce: 'pre'
  load(id: string): Promise<string> | undefined
}
