/**
 * The shapes that the embedded DynamoDB is about: values and items as they stand in JSON, parsed expressions, tables.
 * Types only.
 */

/** One value with exactly one type set. `B` and `BS` are base64, numbers are canonical decimals. */
export interface AttributeValue {
  S?: string
  N?: string
  B?: string
  BOOL?: boolean
  NULL?: boolean
  SS?: string[]
  NS?: string[]
  BS?: string[]
  L?: AttributeValue[]
  M?: Item
}
export type Item = Record<string, AttributeValue>
export type AttributeType = keyof AttributeValue
export type SetType = 'SS' | 'NS' | 'BS'
/** Attribute names and list positions, from the item inwards. */
export type Path = (string | number)[]

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>='
export type FunctionName =
  | 'attribute_exists'
  | 'attribute_not_exists'
  | 'attribute_type'
  | 'begins_with'
  | 'contains'
  | 'size'

export interface SizeCall {
  type: 'function'
  name: 'size'
  args: Operand[]
}
export type Operand = Path | AttributeValue | SizeCall

export interface Junction {
  type: 'and' | 'or' | 'not'
  args: ConditionNode[]
}
/** The tree that dynalite's parser makes of an expression. */
export type ConditionNode =
  | Junction
  | { type: 'function'; name: Exclude<FunctionName, 'size'>; args: Operand[] }
  | { type: Comparator | 'between' | 'in'; args: Operand[] }

/** What an update computes a value from. */
export type UpdateOperand =
  | Path
  | AttributeValue
  | { type: 'add' | 'subtract'; args: [UpdateOperand, UpdateOperand] }
  | { type: 'function'; name: 'if_not_exists'; args: [Path, UpdateOperand] }
  | { type: 'function'; name: 'list_append'; args: [UpdateOperand, UpdateOperand] }
export type UpdateCall = Extract<UpdateOperand, { type: string }>

/** The list that dynalite's parser makes of an update expression. */
export type UpdateSection =
  | { type: 'set'; path: Path; val: UpdateOperand }
  | { type: 'remove'; path: Path }
  | { type: 'add' | 'delete'; path: Path; val: AttributeValue; attrType: 'N' | SetType }

export interface KeySchemaElement {
  AttributeName: string
  KeyType: 'HASH' | 'RANGE'
}
export interface IndexDescription {
  IndexName: string
  KeySchema: KeySchemaElement[]
  Projection: { ProjectionType: 'ALL' | 'KEYS_ONLY' | 'INCLUDE'; NonKeyAttributes?: string[] }
  [detail: string]: unknown
}
/** What DescribeTable answers. */
export interface TableDescription {
  TableName: string
  TableArn: string
  KeySchema: KeySchemaElement[]
  AttributeDefinitions: { AttributeName: string; AttributeType: 'S' | 'N' | 'B' }[]
  GlobalSecondaryIndexes?: IndexDescription[]
  LocalSecondaryIndexes?: IndexDescription[]
  DeletionProtectionEnabled?: boolean
  [detail: string]: unknown
}
export interface TableRecord {
  description: TableDescription
  /** The attribute that says when an item expires, while TTL is enabled. */
  timeToLiveAttribute?: string
  pointInTimeRecovery: boolean
  tags: Record<string, string>
  /** Set while the table's contents are being removed; a table found so at start is removed to the end. */
  deleting?: true
}
