/**
 * CloudFormation's `Ref`, `Fn::GetAtt` and `Fn::Sub` over the resources of one template, as they come out on this machine:
 * names derive from the stack and the logical id, so nothing has to exist before its name is known.
 */
import { API_ID, WEBSOCKET_API_ID } from '../gateway/event.ts'
import { ACCOUNT_ID, REGION } from '../service.ts'

export interface Resource {
  Type: string
  Properties?: Record<string, unknown>
}

/** What a resource is called here: its `Ref` and its attributes. */
interface Named {
  ref: string
  attributes: Record<string, string>
}

const PSEUDO_PARAMETERS: Record<string, string> = {
  'AWS::AccountId': ACCOUNT_ID,
  'AWS::Partition': 'aws',
  'AWS::Region': REGION,
  'AWS::URLSuffix': 'amazonaws.com',
}

/** Of the web application's distribution; there is one. */
export const WEB_DOMAIN = 'web.cloudfront.net'

const arn = (service: string, rest: string) => `arn:aws:${service}:${REGION}:${ACCOUNT_ID}:${rest}`

/** By resource type: the property that holds an explicit name, and what `Ref` and attributes give for a name. */
const TYPES: Record<string, { nameProperty: string; named(name: string): Named }> = {
  'AWS::DynamoDB::Table': {
    nameProperty: 'TableName',
    named: (name) => ({ ref: name, attributes: { Arn: arn('dynamodb', `table/${name}`) } }),
  },
  'AWS::S3::Bucket': {
    nameProperty: 'BucketName',
    named: (name) => ({ ref: name, attributes: { Arn: `arn:aws:s3:::${name}` } }),
  },
  'AWS::Events::EventBus': {
    nameProperty: 'Name',
    named: (name) => ({ ref: name, attributes: { Name: name, Arn: arn('events', `event-bus/${name}`) } }),
  },
  'AWS::SQS::Queue': {
    nameProperty: 'QueueName',
    named: (name) => ({
      ref: `https://sqs.${REGION}.amazonaws.com/${ACCOUNT_ID}/${name}`,
      attributes: { Arn: arn('sqs', name), QueueName: name },
    }),
  },
  'AWS::IAM::Role': {
    nameProperty: 'RoleName',
    named: (name) => ({ ref: name, attributes: { Arn: `arn:aws:iam::${ACCOUNT_ID}:role/${name}` } }),
  },
  'AWS::Logs::LogGroup': {
    nameProperty: 'LogGroupName',
    named: (name) => ({ ref: name, attributes: { Arn: arn('logs', `log-group:${name}:*`) } }),
  },
  'AWS::KMS::Key': {
    nameProperty: '',
    named: (name) => ({ ref: name, attributes: { Arn: arn('kms', `key/${name}`) } }),
  },
  'AWS::CloudFront::Distribution': {
    nameProperty: 'Name',
    named: (name) => ({ ref: name, attributes: { DomainName: WEB_DOMAIN } }),
  },
  'AWS::SecretsManager::Secret': {
    nameProperty: 'Name',
    named: (name) => ({ ref: arn('secretsmanager', `secret:${name}`), attributes: {} }),
  },
}

export interface Resolver {
  /** The name of a resource, e.g. of a table. */
  nameOf(logicalId: string): string
  /** A copy of a value in which every intrinsic is replaced. */
  resolve(value: unknown): unknown
}

/** @param stackName begins every name made here, e.g. `wharf-dev` */
export function intrinsics(stackName: string, resources: Record<string, Resource>): Resolver {
  function nameOf(logicalId: string): string {
    const { Type, Properties } = resource(logicalId)
    const explicit = Properties?.[TYPES[Type]?.nameProperty ?? '']
    return explicit === undefined ? `${stackName}-${logicalId.toLowerCase()}` : String(resolve(explicit))
  }

  function resource(logicalId: string): Resource {
    const found = resources[logicalId]
    if (!found) throw new Error(`serverless.yml has no resource "${logicalId}".`)
    return found
  }

  function named(logicalId: string): Named {
    const type = TYPES[resource(logicalId).Type]
    if (!type)
      throw new Error(`serverless.yml: the embedded cloud cannot name ${resource(logicalId).Type} "${logicalId}".`)
    return type.named(nameOf(logicalId))
  }

  function reference(id: string): string {
    if (id === 'AWS::StackName') return stackName
    if (id === 'HttpApi') return API_ID
    if (id === 'WebsocketsApi') return WEBSOCKET_API_ID
    return PSEUDO_PARAMETERS[id] ?? named(id).ref
  }

  function attribute(logicalId: string, name: string): string {
    const value = named(logicalId).attributes[name]
    if (value === undefined) throw new Error(`serverless.yml: "${logicalId}" has no attribute "${name}" here.`)
    return value
  }

  const substitute = (text: string) =>
    text.replace(/\$\{([^}]+)\}/g, (_match, name: string) => {
      const [logicalId = '', ...path] = name.includes('::') ? [name] : name.split('.')
      return path.length ? attribute(logicalId, path.join('.')) : reference(logicalId)
    })

  function resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value)
    const [key, argument] = entries[0] ?? []
    if (entries.length === 1 && key === 'Ref') return reference(String(argument))
    if (entries.length === 1 && key === 'Fn::Sub') return substitute(String(argument))
    if (entries.length === 1 && key === 'Fn::GetAtt') {
      const [logicalId = '', ...path] = argument as string[]
      return attribute(logicalId, path.join('.'))
    }
    return Object.fromEntries(entries.map(([name, item]) => [name, resolve(item)]))
  }

  return { nameOf, resolve }
}
