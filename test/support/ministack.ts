/** Starts MiniStack (PyPI), with its gaps closed by localstack/start-ministack.py. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Emulator, findPython, freePort, installPython, startServer } from './emulators.ts'

const ROOT = resolve(import.meta.dirname, '../..')

const PACKAGES = ['ministack==1.5.33', 'hypercorn==0.18.0', 'h11==0.16.0', 'PyYAML==6.0.3', 'defusedxml==0.7.1']
export const MINISTACK_VERSION = '1.5.33'

export async function startMiniStack({ enforceRoles }: { enforceRoles: boolean }): Promise<Emulator> {
  const venv = await installPython(`ministack-${MINISTACK_VERSION}`, await findPython(10), PACKAGES)
  const port = await freePort()
  const scratch = mkdtempSync(join(tmpdir(), 'wharf-ministack-'))
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    TMPDIR: scratch,
    GATEWAY_PORT: String(port),
    BIND_HOST: '127.0.0.1',
    AUTH: String(enforceRoles),
    LAMBDA_EXECUTOR: 'local',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  }
  const started = await startServer({
    command: join(venv, 'bin/python'),
    args: [join(ROOT, 'localstack/start-ministack.py')],
    env,
    endpoint: `http://127.0.0.1:${port}`,
    healthPath: '/_ministack/health',
    log: join(scratch, 'ministack.log'),
  })
  const stop = async () => {
    await started.stop()
    rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 })
  }
  return { ...started, stop }
}
