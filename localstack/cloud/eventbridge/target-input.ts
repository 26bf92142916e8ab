/**
 * What a target is given: the event itself, a constant, a part of the event, or a template filled from it. Pure.
 */
import { validationError } from '../lambda/wire.ts'
import type { Target } from './buses.ts'

/** What a template may name besides the paths of its target. */
export interface RuleContext {
  ruleArn: string
  ruleName: string
  /** ISO 8601. */
  ingestionTime: string
}

export type TargetInput = (event: object, context: RuleContext) => unknown

/** Compiles what a target asks to be given. Throws ValidationException, naming the target. */
export function compileTargetInput(target: Target): TargetInput {
  const { Id, Input, InputPath, InputTransformer } = target
  if ([Input, InputPath, InputTransformer].filter((given) => given !== undefined).length > 1) {
    throw validationError(`Only one of Input, InputPath, or InputTransformer must be provided for target ${Id}.`)
  }
  if (Input !== undefined) return constantInput(Id, Input)
  if (InputPath !== undefined) return compilePath(Id, InputPath)
  if (InputTransformer) return compileTransformer(Id, InputTransformer)
  return (event) => event
}

function constantInput(targetId: string, text: string): TargetInput {
  const input = parseOr(text, () => validationError(`JSON syntax error in input for target ${targetId}`))
  return () => input
}

const STEP = /\.([^.[\]]+)|\['([^']+)'\]|\[(\d+)\]/y

/** A JSON path of names and indexes: `$`, `$.detail.id`, `$.resources[0]`, `$.detail['a.b']`. */
function compilePath(targetId: string, path: string): (event: object) => unknown {
  const steps: string[] = []
  STEP.lastIndex = 1
  while (path.startsWith('$') && STEP.lastIndex < path.length) {
    const match = STEP.exec(path)
    if (!match) break
    steps.push(match[1] ?? match[2] ?? match[3]!)
    if (STEP.lastIndex === path.length) return (event) => follow(event, steps)
  }
  if (path === '$') return (event) => event
  throw validationError(`InputPath for target ${targetId} is invalid: ${path}`)
}

const follow = (event: object, steps: string[]) =>
  steps.reduce<unknown>(
    (value, step) => (Object.hasOwn(Object(value), step) ? (value as Record<string, unknown>)[step] : undefined),
    event,
  )

type Variable = (event: object, context: RuleContext) => unknown

const RESERVED: [string, Variable][] = [
  ['aws.events.rule-arn', (_event, { ruleArn }) => ruleArn],
  ['aws.events.rule-name', (_event, { ruleName }) => ruleName],
  ['aws.events.event.ingestion-time', (_event, { ingestionTime }) => ingestionTime],
  ['aws.events.event.json', (event) => event],
  ['aws.events.event', (event) => ({ ...event, detail: undefined })],
]

/** A piece of a template: literal text, or a variable that stands inside a JSON string or for a whole value. */
type Piece = string | { variable: Variable; quoted: boolean }

function compileTransformer(targetId: string, transformer: NonNullable<Target['InputTransformer']>): TargetInput {
  const paths = Object.entries(transformer.InputPathsMap ?? {})
  const variables = new Map<string, Variable>(RESERVED)
  for (const [name, path] of paths) variables.set(name, compilePath(targetId, path))
  const pieces = piecesOf(targetId, transformer.InputTemplate, variables)
  const fill: TargetInput = (event, context) =>
    JSON.parse(pieces.map((piece) => render(piece, event, context)).join(''))
  try {
    fill({}, { ruleArn: '', ruleName: '', ingestionTime: '' })
  } catch {
    throw validationError(
      `Invalid InputTemplate for target ${targetId} : it is not JSON once its placeholders are filled`,
    )
  }
  return fill
}

function piecesOf(targetId: string, template: string, variables: Map<string, Variable>): Piece[] {
  let quoted = false
  return template.split(/(<[^<>\s"]+>)/).map((piece, index) => {
    if (index % 2 === 0) {
      const quotes = piece.replace(/\\./g, '').split('"').length - 1
      if (quotes % 2) quoted = !quoted
      return piece
    }
    const variable = variables.get(piece.slice(1, -1))
    if (!variable)
      throw validationError(`InputTemplate for target ${targetId} contains placeholder ${piece}, which is not defined`)
    return { variable, quoted }
  })
}

/** A variable without a value leaves nothing in a string, and null as a whole value. */
function render(piece: Piece, event: object, context: RuleContext): string {
  if (typeof piece === 'string') return piece
  const value = piece.variable(event, context)
  if (!piece.quoted) return JSON.stringify(value) ?? 'null'
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return JSON.stringify(text).slice(1, -1)
}

function parseOr(text: string, error: () => Error): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw error()
  }
}
