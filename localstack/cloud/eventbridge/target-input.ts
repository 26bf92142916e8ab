/** Compiles the input of a target: the event, a constant, part of the event or a filled template. */
import { validationError } from '../lambda/wire.ts'
import type { Target } from './buses.ts'

export interface RuleContext {
  ruleArn: string
  ruleName: string
  ingestionTime: string
}

export type TargetInput = (event: object, context: RuleContext) => unknown

export function compileTargetInput(target: Target): TargetInput {
  const { Id, Input, InputPath, InputTransformer } = target
  if ([Input, InputPath, InputTransformer].filter((option) => option !== undefined).length > 1) {
    throw validationError(`Only one of Input, InputPath, or InputTransformer must be provided for target ${Id}.`)
  }
  if (Input !== undefined) return compileConstant(Id, Input)
  if (InputPath !== undefined) return compilePath(Id, InputPath)
  if (InputTransformer) return compileTransformer(Id, InputTransformer)
  return (event) => event
}

function compileConstant(targetId: string, text: string): TargetInput {
  const input = parseJsonOr(text, () => validationError(`JSON syntax error in input for target ${targetId}`))
  return () => input
}

const STEP = /\.([^.[\]]+)|\['([^']+)'\]|\[(\d+)\]/y

function compilePath(targetId: string, path: string): (event: object) => unknown {
  const steps: string[] = []
  STEP.lastIndex = 1
  while (path.startsWith('$') && STEP.lastIndex < path.length) {
    const match = STEP.exec(path)
    if (!match) break
    steps.push(match[1] ?? match[2] ?? match[3]!)
    if (STEP.lastIndex === path.length) return (event) => followPath(event, steps)
  }
  if (path === '$') return (event) => event
  throw validationError(`InputPath for target ${targetId} is invalid: ${path}`)
}

const followPath = (event: object, steps: string[]) =>
  steps.reduce<unknown>(
    (value, step) => (Object.hasOwn(Object(value), step) ? (value as Record<string, unknown>)[step] : undefined),
    event,
  )

type Variable = (event: object, context: RuleContext) => unknown

const RESERVED_VARIABLES: [string, Variable][] = [
  ['aws.events.rule-arn', (_event, { ruleArn }) => ruleArn],
  ['aws.events.rule-name', (_event, { ruleName }) => ruleName],
  ['aws.events.event.ingestion-time', (_event, { ingestionTime }) => ingestionTime],
  ['aws.events.event.json', (event) => event],
  ['aws.events.event', (event) => ({ ...event, detail: undefined })],
]

type Piece = string | { variable: Variable; quoted: boolean }

function compileTransformer(targetId: string, transformer: NonNullable<Target['InputTransformer']>): TargetInput {
  const paths = Object.entries(transformer.InputPathsMap ?? {})
  const variables = new Map<string, Variable>(RESERVED_VARIABLES)
  for (const [name, path] of paths) variables.set(name, compilePath(targetId, path))
  const pieces = splitTemplate(targetId, transformer.InputTemplate, variables)
  const fill: TargetInput = (event, context) =>
    JSON.parse(pieces.map((piece) => renderPiece(piece, event, context)).join(''))
  try {
    fill({}, { ruleArn: '', ruleName: '', ingestionTime: '' })
  } catch {
    throw validationError(
      `Invalid InputTemplate for target ${targetId} : it is not JSON once its placeholders are filled`,
    )
  }
  return fill
}

function splitTemplate(targetId: string, template: string, variables: Map<string, Variable>): Piece[] {
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

function renderPiece(piece: Piece, event: object, context: RuleContext): string {
  if (typeof piece === 'string') return piece
  const value = piece.variable(event, context)
  if (!piece.quoted) return JSON.stringify(value) ?? 'null'
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return JSON.stringify(text).slice(1, -1)
}

function parseJsonOr(text: string, error: () => Error): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw error()
  }
}
