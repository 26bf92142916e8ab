import { env } from '../core/env.ts'

export const formatFunctionName = (agentId: string): string => `${env().FUNCTION_PREFIX}${agentId}`

export function parseAgentId(functionArn: string): string | undefined {
  const name = functionArn.replace(/^arn:.*:function:/, '').replace(/:.*$/, '')
  return name.startsWith(env().FUNCTION_PREFIX) ? name.slice(env().FUNCTION_PREFIX.length) : undefined
}
