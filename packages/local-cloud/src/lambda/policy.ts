/** Resource-based policies: who, besides the account itself, may invoke a function. */
import * as z from 'zod'
import { AwsError } from './wire.ts'

export const addPermissionInput = z.strictObject({
  Action: z.string().regex(/^(lambda:([a-zA-Z]+|\*)|\*)$/),
  Principal: z.string().min(1),
  SourceAccount: z
    .string()
    .regex(/^\d{12}$/)
    .optional(),
  SourceArn: z.string().startsWith('arn:').optional(),
  StatementId: z.string().regex(/^[a-zA-Z0-9-_]{1,100}$/),
})

export type Permission = z.output<typeof addPermissionInput>

export interface Statement {
  Sid: string
  Effect: 'Allow'
  Principal: '*' | { Service: string } | { AWS: string }
  Action: string
  Resource: string
  Condition?: { ArnLike?: { 'AWS:SourceArn': string }; StringEquals?: { 'AWS:SourceAccount': string } }
}

export function addStatement(policy: Statement[], permission: Permission, resource: string): Statement[] {
  if (policy.some((statement) => statement.Sid === permission.StatementId)) {
    throw new AwsError(
      409,
      'ResourceConflictException',
      `The statement id (${permission.StatementId}) provided already exists. Please provide a new statement id, or remove the existing statement.`,
    )
  }
  return [...policy, buildStatement(permission, resource)]
}

export function removeStatement(policy: Statement[], statementId: string): Statement[] {
  const remaining = policy.filter((statement) => statement.Sid !== statementId)
  if (remaining.length < policy.length) return remaining
  throw new AwsError(404, 'ResourceNotFoundException', `Statement ${statementId} is not found in resource policy.`)
}

export const allowsInvocation = (policy: Statement[], principal: string, sourceArn: string, account: string) =>
  policy.some(
    ({ Principal, Action, Condition }) =>
      ['lambda:InvokeFunction', 'lambda:*', '*'].includes(Action) &&
      (Principal === '*' || ('Service' in Principal && Principal.Service === principal)) &&
      matchesArn(Condition?.ArnLike?.['AWS:SourceArn'] ?? '*', sourceArn) &&
      (Condition?.StringEquals?.['AWS:SourceAccount'] ?? account) === account,
  )

function buildStatement(permission: Permission, resource: string): Statement {
  const { SourceArn, SourceAccount } = permission
  const condition = {
    ...(SourceAccount && { StringEquals: { 'AWS:SourceAccount': SourceAccount } }),
    ...(SourceArn && { ArnLike: { 'AWS:SourceArn': SourceArn } }),
  }
  return {
    Sid: permission.StatementId,
    Effect: 'Allow',
    Principal: buildPrincipal(permission.Principal),
    Action: permission.Action,
    Resource: resource,
    ...((SourceArn || SourceAccount) && { Condition: condition }),
  }
}

function buildPrincipal(principal: string): Statement['Principal'] {
  if (principal === '*') return '*'
  if (/^\d{12}$/.test(principal)) return { AWS: `arn:aws:iam::${principal}:root` }
  return principal.startsWith('arn:') ? { AWS: principal } : { Service: principal }
}

function matchesArn(pattern: string, arn: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${source}$`).test(arn)
}
