/** Resolves CloudFormation's `Ref`, `Fn::GetAtt` and `Fn::Sub`; names derive from the stack and the logical id. */
import { API_ID, WEBSOCKET_API_ID } from '../gateway/event.ts'
import { ACCOUNT_ID, REGION } from '../service.ts'

export interface Resource {
  Type: string
  Properties?: Record<string, unknown>
}

interface ResourceNames {
  ref: string
  attributes: Record<string, string>
}

const PSEUDO_PARAMETERS: Record<string, string> = {
  'AWS::AccountId': ACCOUNT_ID,
  'AWS::Partition': 'aws',
  'AWS::Region': REGION,
  'AWS::URLSuffix': 'amazonaws.com',
}

export const WEB_DOMAIN = 'web.cloudfront.net'

const buildArn = (service: string, resourcePath: string) => `arn:aws:${service}:${REGION}:${ACCOUNT_ID}:${resourcePath}`

const TYPES: Record<string, { nameProperty: string; buildNames(name: string): ResourceNames }> = {
  'AWS::DynamoDB::Table': {
    nameProperty: 'TableName',
    buildNames: (name) => ({ ref: name, attributes: { Arn: buildArn('dynamodb', `table/${name}`) } }),
  },
  'AWS::S3::Bucket': {
    nameProperty: 'BucketName',
    buildNames: (name) => ({ ref: name, attributes: { Arn: `arn:aws:s3:::${name}` } }),
  },
  'AWS::Events::EventBus': {
    nameProperty: 'Name',
    buildNames: (name) => ({ ref: name, attributes: { Name: name, Arn: buildArn('events', `event-bus/${name}`) } }),
  },
  'AWS::SQS::Queue': {
    nameProperty: 'QueueName',
    buildNames: (name) => ({
      ref: `https://sqs.${REGION}.amazonaws.com/${ACCOUNT_ID}/${name}`,
      attributes: { Arn: buildArn('sqs', name), QueueName: name },
    }),
  },
  'AWS::IAM::Role': {
    nameProperty: 'RoleName',
    buildNames: (name) => ({ ref: name, attributes: { Arn: `arn:aws:iam::${ACCOUNT_ID}:role/${name}` } }),
  },
  'AWS::Logs::LogGroup': {
    nameProperty: 'LogGroupName',
    buildNames: (name) => ({ ref: name, attributes: { Arn: buildArn('logs', `log-group:${name}:*`) } }),
  },
  'AWS::KMS::Key': {
    nameProperty: '',
    buildNames: (name) => ({ ref: name, attributes: { Arn: buildArn('kms', `key/${name}`) } }),
  },
  'AWS::CloudFront::Distribution': {
    nameProperty: 'Name',
    buildNames: (name) => ({ ref: name, attributes: { DomainName: WEB_DOMAIN } }),
  },
  'AWS::SecretsManager::Secret': {
    nameProperty: 'Name',
    buildNames: (name) => ({ ref: buildArn('secretsmanager', `secret:${name}`), attributes: {} }),
  },
}

export interface Resolver {
  getName(logicalId: string): string
  resolve(value: unknown): unknown
}

export function createResolver(stackName: string, resources: Record<string, Resource>): Resolver {
  function getName(logicalId: string): string {
    const { Type, Properties } = getResource(logicalId)
    const explicit = Properties?.[TYPES[Type]?.nameProperty ?? '']
    return explicit === undefined ? `${stackName}-${logicalId.toLowerCase()}` : String(resolve(explicit))
  }

  function getResource(logicalId: string): Resource {
    const declared = resources[logicalId]
    if (!declared) throw new Error(`serverless.yml has no resource "${logicalId}".`)
    return declared
  }

  function getNames(logicalId: string): ResourceNames {
    const type = TYPES[getResource(logicalId).Type]
    if (!type)
      throw new Error(
        `serverless.yml: the embedded cloud does not support ${getResource(logicalId).Type} "${logicalId}".`,
      )
    return type.buildNames(getName(logicalId))
  }

  function resolveReference(id: string): string {
    if (id === 'AWS::StackName') return stackName
    if (id === 'HttpApi') return API_ID
    if (id === 'WebsocketsApi') return WEBSOCKET_API_ID
    return PSEUDO_PARAMETERS[id] ?? getNames(id).ref
  }

  function resolveAttribute(logicalId: string, name: string): string {
    const value = getNames(logicalId).attributes[name]
    if (value === undefined)
      throw new Error(
        `serverless.yml: the attribute "${name}" of "${logicalId}" is not supported by the embedded cloud.`,
      )
    return value
  }

  const substitute = (text: string) =>
    text.replace(/\$\{([^}]+)\}/g, (_match, name: string) => {
      const [logicalId = '', ...path] = name.includes('::') ? [name] : name.split('.')
      return path.length ? resolveAttribute(logicalId, path.join('.')) : resolveReference(logicalId)
    })

  function resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value)
    const [key, argument] = entries[0] ?? []
    if (entries.length === 1 && key === 'Ref') return resolveReference(String(argument))
    if (entries.length === 1 && key === 'Fn::Sub') return substitute(String(argument))
    if (entries.length === 1 && key === 'Fn::GetAtt') {
      const [logicalId = '', ...path] = argument as string[]
      return resolveAttribute(logicalId, path.join('.'))
    }
    return Object.fromEntries(entries.map(([name, item]) => [name, resolve(item)]))
  }

  return { getName, resolve }
}
