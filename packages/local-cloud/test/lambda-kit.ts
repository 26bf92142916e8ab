/** Helpers shared by the suites of Lambda and EventBridge. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CreateFunctionCommandInput, type LambdaClient, waitUntilFunctionActiveV2 } from '@aws-sdk/client-lambda'
import { strToU8, zipSync } from 'fflate'
import { afterAll, expect } from 'vitest'

export const zip = (source: string, file = 'index.mjs') => zipSync({ [file]: strToU8(source) })

export const functionInput = (
  FunctionName: string,
  source: string,
  more: Partial<CreateFunctionCommandInput> = {},
): CreateFunctionCommandInput => ({
  FunctionName,
  Runtime: 'nodejs24.x',
  Role: 'arn:aws:iam::000000000000:role/agent',
  Handler: 'index.handler',
  Code: { ZipFile: zip(source) },
  ...more,
})

export const waitUntilActive = (client: LambdaClient, FunctionName: string) =>
  waitUntilFunctionActiveV2({ client, maxWaitTime: 30, minDelay: 0.1, maxDelay: 1 }, { FunctionName })

export interface Posted {
  tag: string
  event: Record<string, unknown> & { id?: string; detail?: Record<string, unknown> }
}

/** A server that functions report their calls to. */
export async function startHook(): Promise<{ hookUrl: string; posted: Posted[] }> {
  const posted: Posted[] = []
  const hook = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk)
    posted.push(JSON.parse(Buffer.concat(chunks).toString()) as Posted)
    res.end()
  })
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    hook.closeAllConnections()
    hook.close()
  })
  return { hookUrl: `http://127.0.0.1:${(hook.address() as AddressInfo).port}`, posted }
}

export const poll = <T>(probe: () => T) => expect.poll(probe, { timeout: 20_000, interval: 20 })

export const errorNamed = (name: string) => expect.objectContaining({ name })
