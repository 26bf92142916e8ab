/** The Serverless Framework's variables: https://www.serverless.com/framework/docs/guides/variables */
import { existsSync, readFileSync } from 'node:fs'
import { resolve as resolvePath } from 'node:path'
import { parse, type ScalarTag } from 'yaml'

export interface VariableSources {
  root: string
  stage: string
  env: Record<string, string | undefined>
}

type Json = unknown
type Tree = Record<string, Json>

/** `${source:address}` or `${file(path)}`, with fallbacks; `${AWS::Region}` is CloudFormation's. */
const VARIABLE = /\$\{((?:self|sls|opt|env):(?!:)[^${}]*|file\([^${}]*)\}/g
const FALLBACKS = /,(?![^(]*\))/
const MAX_DEPTH = 20

const createShortForm = (tag: string, key: string, read: (text: string) => unknown = (text) => text): ScalarTag => ({
  tag: `!${tag}`,
  resolve: (text) => ({ [key]: read(text) }),
})
const INTRINSICS = [
  createShortForm('Ref', 'Ref'),
  createShortForm('Sub', 'Fn::Sub'),
  createShortForm('GetAtt', 'Fn::GetAtt', (text) => text.split('.')),
]

const parseYaml = (text: string): Json => parse(text, { customTags: INTRINSICS, merge: true })

export function readServerlessYaml({ root, stage, env }: VariableSources): Tree {
  const yaml = parseYaml(readFile(resolvePath(root, 'serverless.yml'))) as Tree
  const lookUp = (expression: string): Json => {
    for (const alternative of expression.split(FALLBACKS)) {
      const value = resolveVariable(alternative.trim())
      if (value !== undefined) return value
    }
    throw new Error(`serverless.yml: \${${expression}} has no value.`)
  }
  const resolveVariable = (alternative: string): Json => {
    const quoted = /^'(.*)'$/.exec(alternative)
    if (quoted) return quoted[1]
    const file = /^file\((.+)\)$/.exec(alternative)
    if (file) return parseYaml(readFile(resolvePath(root, file[1]!)))
    const [source, address = ''] = alternative.split(':', 2)
    if (source === 'self')
      return address.split('.').reduce<Json>((current, key) => (current as Tree | undefined)?.[key], yaml)
    if (source === 'env') return env[address]
    if (alternative === 'sls:stage' || alternative === 'opt:stage') return stage
    if (source === 'opt') return undefined
    throw new Error(`serverless.yml: the embedded cloud does not support the variable "${alternative}".`)
  }
  return replaceVariables(yaml, lookUp, 0) as Tree
}

/** A string that is a single variable becomes its value, of any type; inside a string a variable becomes text. */
function replaceVariables(node: Json, lookUp: (expression: string) => Json, depth: number): Json {
  if (depth > MAX_DEPTH) throw new Error('serverless.yml: variables refer to each other in a cycle.')
  if (Array.isArray(node)) return node.map((item) => replaceVariables(item, lookUp, depth))
  if (typeof node === 'object' && node !== null) {
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, replaceVariables(value, lookUp, depth)]))
  }
  if (typeof node !== 'string') return node
  const matches = [...node.matchAll(VARIABLE)]
  if (matches.length === 0) return node
  if (matches.length === 1 && matches[0]![0] === node)
    return replaceVariables(lookUp(matches[0]![1]!), lookUp, depth + 1)
  const text = node.replace(VARIABLE, (_match, expression: string) => String(lookUp(expression)))
  return replaceVariables(text, lookUp, depth + 1)
}

function readFile(path: string): string {
  if (!existsSync(path))
    throw new Error(`${path} is missing${path.endsWith('http.yml') ? ': run "npm run gen".' : '.'}`)
  return readFileSync(path, 'utf8')
}
