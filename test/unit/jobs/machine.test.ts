import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isEnded, MOVES, NONE, type State, statesFor, step, TRIGGERS, type Trigger } from '../../../lib/jobs/machine.ts'
import { JOB_STATUSES } from '../../../schemas/jobs.ts'

const STATES: State[] = [NONE, ...JOB_STATUSES]
const CREATIONS: Trigger[] = ['create', 'createImmediate', 'createPlanned', 'createScheduled']

describe('the moves of a job', () => {
  it.each([
    ['none', 'create', 'created', ['job:created']],
    ['none', 'createImmediate', 'ready', ['job:created', 'job:ready']],
    ['none', 'createPlanned', 'planning', ['job:created', 'job:updated']],
    ['planning', 'execute', 'ready', ['job:ready']],
    ['created', 'execute', 'ready', ['job:ready']],
    ['ready', 'execute', 'ready', []],
    ['ready', 'acknowledge', 'executing', ['job:updated']],
    ['executing', 'acknowledge', 'executing', ['job:updated']],
    ['executing', 'complete', 'completed', ['job:completed']],
    ['executing', 'fail', 'failed', ['job:failed']],
    ['ready', 'fail', 'failed', ['job:failed']],
    ['completed', 'acknowledgeOutcome', 'completed', ['job:outcome-acknowledged']],
    ['failed', 'acknowledgeOutcome', 'failed', ['job:outcome-acknowledged']],
    ['created', 'schedule', 'scheduled', ['job:scheduled']],
    ['executing', 'cancel', 'canceled', ['job:updated']],
    ['failed', 'retry', 'ready', ['job:ready']],
    ['none', 'createScheduled', 'scheduled', ['job:created', 'job:scheduled']],
    ['scheduled', 'execute', 'ready', ['job:ready']],
    ['executing', 'split', 'waiting', ['job:updated']],
    ['waiting', 'completeParts', 'parts-completed', ['job:parts-completed']],
    ['parts-completed', 'acknowledge', 'executing', ['job:updated']],
  ] as const)('%s --%s--> %s emits %j', (from, trigger, to, emits) => {
    expect(step(from, trigger)).toEqual({ to, emits })
  })

  it.each([
    ['created', 'acknowledge'],
    ['created', 'complete'],
    ['completed', 'acknowledge'],
    ['completed', 'complete'],
    ['canceled', 'execute'],
    ['executing', 'execute'],
    ['executing', 'retry'],
    ['executing', 'acknowledgeOutcome'],
    ['canceled', 'acknowledgeOutcome'],
    ['failed', 'cancel'],
    ['none', 'execute'],
    ['created', 'create'],
    ['waiting', 'complete'],
    ['waiting', 'execute'],
    ['waiting', 'split'],
    ['canceled', 'completeParts'],
    ['parts-completed', 'completeParts'],
  ] as const)('%s --%s--> is no move', (from, trigger) => {
    expect(step(from, trigger)).toBeUndefined()
  })

  it('names each pair of state and trigger at most once', () => {
    const pairs = MOVES.flatMap(({ on, from }) => from.map((state) => `${state} ${on}`))
    expect(new Set(pairs).size).toBe(pairs.length)
  })

  it('has a row for every trigger', () => {
    for (const trigger of TRIGGERS) expect(statesFor(trigger), trigger).not.toHaveLength(0)
  })
})

describe('any life of a job', () => {
  const life = fc.tuple(fc.constantFrom(...CREATIONS), fc.array(fc.constantFrom(...TRIGGERS), { maxLength: 60 }))

  /** Applies the triggers that are moves and tells what happened. */
  function live([creation, triggers]: [Trigger, Trigger[]]) {
    const moves: { from: State; trigger: Trigger; to: State; emits: readonly string[] }[] = []
    let state: State = NONE
    for (const trigger of [creation, ...triggers]) {
      const found = step(state, trigger)
      if (!found) continue
      moves.push({ from: state, trigger, ...found })
      state = found.to
    }
    return moves
  }

  it('stays within the known states and is created once, at its beginning', () => {
    fc.assert(
      fc.property(life, (given) => {
        const moves = live(given)
        expect(moves.every(({ to }) => STATES.includes(to) && to !== NONE)).toBe(true)
        expect(moves.filter(({ emits }) => emits.includes('job:created'))).toHaveLength(1)
        expect(moves[0]!.emits[0]).toBe('job:created')
      }),
    )
  })

  it('is announced as ready exactly when it becomes ready', () => {
    fc.assert(
      fc.property(life, (given) => {
        for (const { from, to, emits } of live(given))
          expect(emits.includes('job:ready')).toBe(to === 'ready' && from !== 'ready')
      }),
    )
  })

  it('executes only after it was ready, and ends only by a move that tells of it', () => {
    fc.assert(
      fc.property(life, (given) => {
        const moves = live(given)
        const first = moves.findIndex(({ to }) => to === 'executing')
        if (first >= 0) expect(moves.slice(0, first).some(({ to }) => to === 'ready')).toBe(true)
        for (const { from, to, emits } of moves) {
          if (to === 'completed' && from !== 'completed') expect(emits).toEqual(['job:completed'])
          if (to === 'failed' && from !== 'failed') expect(emits).toEqual(['job:failed'])
        }
      }),
    )
  })

  it('leaves an end only by a retry', () => {
    fc.assert(
      fc.property(life, (given) => {
        for (const { from, to, trigger } of live(given)) {
          if (from !== NONE && isEnded(from) && to !== from) expect(trigger).toBe('retry')
        }
      }),
    )
  })
})
