/** Compiles the input of a target: the event, a constant or a filled template. */
import { validationError } from '../lambda/wire.ts'
import type { Target } from './buses.ts'

export type TargetInput = (event: object) => unknown

export function compileTargetInput(target: Target): TargetInput {
  const { Id, Input, InputTransformer } = target
  if (Input !== undefined && InputTransformer)
    throw validationError(`Only one of Input, InputPath, or InputTransformer must be provided for target ${Id}.`)
  if (Input !== undefined) return compileConstant(Id, Input)
  if (InputTransformer) return compileTransformer(Id, InputTransformer)
  return (event) => event
}

function compileConstant(targetId: string, text: string): TargetInput {
  const input = parseJsonOr(text, () => validationError(`JSON syntax error in input for target ${targetId}`))
  return () => input
}

const STEP = /\.([^.[\]]+)|\['([^']+)'\]|\[(\d+)\]/y

function compilePath(targetId: string, path: string): TargetInput {
  const steps: string[] = []
  STEP.lastIndex = 1
  while (path.startsWith('$') && STEP.lastIndex < path.length) {
    const match = STEP.exec(path)
    if (!match) break
    steps.push(match[1] ?? match[2] ?? match[3]!)
    if (STEP.lastIndex === path.length) return (event) => followPath(event, steps)
  }
  if (path === '$') return (event) => event
  throw validationError(`A path in InputPathsMap for target ${targetId} is invalid: ${path}`)
}

const followPath = (event: object, steps: string[]) =>
  steps.reduce<unknown>(
    (value, step) => (Object.hasOwn(Object(value), step) ? (value as Record<string, unknown>)[step] : undefined),
    event,
  )

/** Other variables of EventBridge, such as the name of the rule, are rejected. */
const EVENT_VARIABLE = 'aws.events.event.json'

type Piece = string | { variable: TargetInput; quoted: boolean }

function compileTransformer(targetId: string, transformer: NonNullable<Target['InputTransformer']>): TargetInput {
  const paths = Object.entries(transformer.InputPathsMap ?? {})
  const variables = new Map<string, TargetInput>([[EVENT_VARIABLE, (event) => event]])
  for (const [name, path] of paths) variables.set(name, compilePath(targetId, path))
  const pieces = splitTemplate(targetId, transformer.InputTemplate, variables)
  const fill: TargetInput = (event) => JSON.parse(pieces.map((piece) => renderPiece(piece, event)).join(''))
  try {
    fill({})
  } catch {
    throw validationError(
      `Invalid InputTemplate for target ${targetId} : it is not JSON once its placeholders are filled`,
    )
  }
  return fill
}

function splitTemplate(targetId: string, template: string, variables: Map<string, TargetInput>): Piece[] {
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

function renderPiece(piece: Piece, event: object): string {
  if (typeof piece === 'string') return piece
  const value = piece.variable(event)
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
