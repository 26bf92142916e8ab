/** Exactly one property is set. `B` and `BS` are base64, numbers are canonical decimals. */
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
export type ConditionNode =
  | Junction
  | { type: 'function'; name: Exclude<FunctionName, 'size'>; args: Operand[] }
  | { type: Comparator | 'between' | 'in'; args: Operand[] }

export type UpdateOperand =
  | Path
  | AttributeValue
  | { type: 'add' | 'subtract'; args: [UpdateOperand, UpdateOperand] }
  | { type: 'function'; name: 'if_not_exists'; args: [Path, UpdateOperand] }
  | { type: 'function'; name: 'list_append'; args: [UpdateOperand, UpdateOperand] }
export type UpdateCall = Extract<UpdateOperand, { type: string }>

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
export interface TableDescription {
  TableName: string
  TableArn: string
  KeySchema: KeySchemaElement[]
  AttributeDefinitions: { AttributeName: string; AttributeType: 'S' | 'N' | 'B' }[]
  GlobalSecondaryIndexes?: IndexDescription[]
  LocalSecondaryIndexes?: IndexDescription[]
  [detail: string]: unknown
}
export interface TableRecord {
  description: TableDescription
  timeToLiveAttribute?: string
  /** Set during removal, which is resumed at the next start. */
  deleting?: true
}
