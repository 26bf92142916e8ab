/** What the commands that start the embedded cloud read from the environment: PORT, CLOUD_PORT and DATA_DIR. */
import { resolve } from 'node:path'
import { CannotStartError } from './cloud/server.ts'

/** @throws CannotStartError naming a variable that is no port */
export const settings = () => ({
  dataDir: resolve(process.env.DATA_DIR || '.data'),
  apiPort: portOf('PORT', 3000),
  cloudPort: portOf('CLOUD_PORT', 4566),
})

function portOf(name: string, fallback: number): number {
  const text = process.env[name] ?? String(fallback)
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new CannotStartError(`${name}=${text} is not a port.`)
  return port
}

/** Ends the process with the one line of a start that cannot be. @throws any other error */
export function exitWith(error: unknown): never {
  if (!(error instanceof CannotStartError)) throw error
  console.error(error.message)
  process.exit(1)
}
