import { resolve } from 'node:path'
import { CannotStartError } from '../packages/local-cloud/src/server.ts'

export const readSettings = () => ({
  dataDir: resolve(process.env.DATA_DIR || '.data'),
  apiPort: parsePort('PORT', 3000),
  cloudPort: parsePort('CLOUD_PORT', 4566),
})

function parsePort(name: string, fallback: number): number {
  const text = process.env[name] ?? String(fallback)
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new CannotStartError(`${name}=${text} is not a port.`)
  return port
}

export function exitWith(error: unknown): never {
  if (!(error instanceof CannotStartError)) throw error
  console.error(error.message)
  process.exit(1)
}
