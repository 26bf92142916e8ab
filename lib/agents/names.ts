/** How agents' functions are named. */
import { env } from '../core/env.ts'

export const functionNameOf = (agentId: string): string => `${env().FUNCTION_PREFIX}${agentId}`

/** The agent a function of that ARN (or name) belongs to, or undefined when it is no agent's. */
export function agentIdOf(functionArn: string): string | undefined {
  const name = functionArn.replace(/^arn:.*:function:/, '').replace(/:.*$/, '')
  return name.startsWith(env().FUNCTION_PREFIX) ? name.slice(env().FUNCTION_PREFIX.length) : undefined
}
