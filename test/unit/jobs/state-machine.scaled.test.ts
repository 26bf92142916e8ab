/** Checks the transition table against a separate model, for any sequence of triggers. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findStep,
  getAllowedStates,
  isEnded,
  NOT_CREATED,
  type State,
  TRANSITIONS,
  TRIGGERS,
  type Trigger,
} from '../../../lib/jobs/lifecycle/state-machine.ts'
import { JOB_STATUSES } from '../../../schemas/jobs/shape.ts'
import { renderJobsPage } from '../../../scripts/reference/jobs-page.ts'
import { nextState } from '../../support/job-model.ts'
import { runs } from '../../support/runs.ts'

const STATES: State[] = [NOT_CREATED, ...JOB_STATUSES]
const CREATIONS: Trigger[] = ['create', 'createImmediate', 'createPlanned', 'createScheduled', 'createWaiting']

describe('transition table', () => {
  it.each(STATES)('has exactly the transitions of the model from %s', (state) => {
    for (const trigger of TRIGGERS) {
      const expected = nextState(state, trigger)
      const found = findStep(state, trigger)
      expect(found && { to: found.to, emits: found.emits }, `${state} --${trigger}-->`).toEqual(expected)
    }
  })

  it('contains each pair of state and trigger at most once', () => {
    const pairs = TRANSITIONS.flatMap(({ on, from }) => from.map((state) => `${state} ${on}`))
    expect(new Set(pairs).size).toBe(pairs.length)
  })

  it('has a row for every trigger and a path into every state', () => {
    for (const trigger of TRIGGERS) expect(getAllowedStates(trigger), trigger).not.toHaveLength(0)
    expect(new Set(TRANSITIONS.map(({ to }) => to))).toEqual(new Set([...JOB_STATUSES, 'same']))
  })
})

describe('10,000 random job lifecycles', () => {
  const life = fc.tuple(fc.constantFrom(...CREATIONS), fc.array(fc.constantFrom(...TRIGGERS), { maxLength: 60 }))

  it('match the model and keep every invariant', () => {
    const property = fc.property(life, ([birth, triggers]) => {
      let state: State = NOT_CREATED
      let ready = 0
      let announced = 0
      let created = 0
      for (const trigger of [birth, ...triggers]) {
        const before: State = state
        const found = findStep(before, trigger)
        const expected = nextState(before, trigger)
        expect(found && { to: found.to, emits: found.emits }).toEqual(expected)
        if (!found) continue
        state = found.to
        created += found.emits.filter((topic) => topic === 'job:created').length
        announced += found.emits.filter((topic) => topic === 'job:ready').length
        ready += state === 'ready' && before !== 'ready' ? 1 : 0
        if (before !== NOT_CREATED && isEnded(before) && state !== before)
          expect(['retry', 'schedule']).toContain(trigger)
        if (state === 'completed' && before !== 'completed') expect(found.emits).toEqual(['job:completed'])
        if (state === 'failed' && before !== 'failed') expect(found.emits).toEqual(['job:failed'])
        if (state === 'scheduled') expect(found.emits.length > 0 || before === 'scheduled').toBe(true)
        expect(announced, 'told ready once each time it becomes ready').toBe(ready)
      }
      expect(created).toBe(1)
    })
    fc.assert(property, { numRuns: runs(10_000) })
  }, 60_000)
})

describe('transition page', () => {
  const page = renderJobsPage(TRANSITIONS)

  it('draws an arrow for every transition that changes the state', () => {
    for (const { on, from, to } of TRANSITIONS) {
      for (const state of from) {
        if (to === 'same' || state === to) continue
        const [a, b] = [state, to].map((name) => (name === NOT_CREATED ? '[*]' : name.replaceAll('-', '_')))
        const arrow = page.split('\n').find((line) => line.startsWith(`  ${a} --> ${b}: `))
        expect(arrow?.split(': ')[1]?.split(', '), `${state} --${on}--> ${to}`).toContain(on)
      }
    }
  })

  it('has a row for every transition', () => {
    for (const { on, from } of TRANSITIONS) expect(page).toContain(`| ${on} | ${from.join(', ')} |`)
  })
})
