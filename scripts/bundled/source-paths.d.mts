import type { Plugin } from 'esbuild'

export const BANNER: string
export const DEFINE: Record<string, string>
export function sourcePaths(express: (path: string) => { url: string; folder: string }): Plugin
