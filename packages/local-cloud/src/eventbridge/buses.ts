/** The event buses with their rules and targets, in one file that is rewritten on every change. */

import { readState, writeState } from '../lambda/state-file.ts'
import { AwsError } from '../lambda/wire.ts'
import { ACCOUNT_ID, REGION } from '../service.ts'
import { compileFieldsTest, type FieldsTest } from './pattern.ts'

export interface Target {
  Id: string
  Arn: string
  Input?: string
  InputTransformer?: { InputPathsMap?: Record<string, string>; InputTemplate: string }
  RetryPolicy?: { MaximumRetryAttempts?: number; MaximumEventAgeInSeconds?: number }
  DeadLetterConfig?: { Arn?: string }
}

export type RuleState = 'ENABLED' | 'DISABLED'

export interface Rule {
  name: string
  busName: string
  arn: string
  state: RuleState
  pattern?: string
  schedule?: string
  /** Milliseconds since 1970; the start of a rate's period. */
  scheduledSince?: number
  targets: Target[]
}

export interface Bus {
  name: string
  arn: string
  createdAt: number
  rules: Record<string, Rule>
}

interface State {
  buses: Record<string, Bus>
}

export const DEFAULT_BUS = 'default'
const ARN_PREFIX = `arn:aws:events:${REGION}:${ACCOUNT_ID}`

export const buildRuleArn = (busName: string, ruleName: string) =>
  `${ARN_PREFIX}:rule/${busName === DEFAULT_BUS ? '' : `${busName}/`}${ruleName}`

export const notFound = (message: string) => new AwsError(400, 'ResourceNotFoundException', message)

export const limitExceeded = () =>
  new AwsError(400, 'LimitExceededException', 'The requested resource exceeds the maximum number allowed.')

export class Buses {
  readonly #path: string
  readonly #state: State
  readonly #tests = new Map<string, FieldsTest>()

  constructor(path: string) {
    this.#path = path
    this.#state = readState<State>(path) ?? { buses: { [DEFAULT_BUS]: createBus(DEFAULT_BUS) } }
    for (const rule of this.list().flatMap((bus) => Object.values(bus.rules))) this.#compile(rule)
  }

  list(): Bus[] {
    return Object.values(this.#state.buses)
  }

  find(reference: string = DEFAULT_BUS): Bus | undefined {
    const name = reference.replace(/^arn:aws:events:[^:]+:\d{12}:event-bus\//, '')
    return Object.hasOwn(this.#state.buses, name) ? this.#state.buses[name] : undefined
  }

  get(reference?: string): Bus {
    const bus = this.find(reference)
    if (!bus) throw notFound(`Event bus ${reference} does not exist.`)
    return bus
  }

  findRule(name: string, bus: Bus): Rule | undefined {
    return Object.hasOwn(bus.rules, name) ? bus.rules[name] : undefined
  }

  getRule(name: string, busReference?: string): Rule {
    const bus = this.get(busReference)
    const rule = this.findRule(name, bus)
    if (!rule) throw notFound(`Rule ${name} does not exist on EventBus ${bus.name}.`)
    return rule
  }

  getPatternTest(rule: Rule): FieldsTest | undefined {
    return this.#tests.get(rule.arn)
  }

  addBus(name: string): Bus {
    const bus = createBus(name)
    this.#state.buses[name] = bus
    this.#save()
    return bus
  }

  putRule(rule: Rule): void {
    this.#compile(rule)
    this.#state.buses[rule.busName]!.rules[rule.name] = rule
    this.#save()
  }

  removeRule({ busName, name, arn }: Rule): void {
    delete this.#state.buses[busName]!.rules[name]
    this.#tests.delete(arn)
    this.#save()
  }

  #compile(rule: Rule): void {
    if (rule.pattern === undefined) this.#tests.delete(rule.arn)
    else this.#tests.set(rule.arn, compileFieldsTest(rule.pattern))
  }

  #save(): void {
    writeState(this.#path, this.#state)
  }
}

const createBus = (name: string): Bus => ({
  name,
  arn: `${ARN_PREFIX}:event-bus/${name}`,
  createdAt: Math.round(Date.now() / 1000),
  rules: {},
})
