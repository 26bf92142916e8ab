/** The table of moves against a model of its own: whatever happens to a job in whatever order. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isEnded, MOVES, NONE, type State, statesFor, step, TRIGGERS, type Trigger } from '../../../lib/jobs/machine.ts'
import { jobsPage } from '../../../lib/reference/jobs-page.ts'
import { JOB_STATUSES } from '../../../schemas/job.ts'
import { next } from '../../support/job-model.ts'

const STATES: State[] = [NONE, ...JOB_STATUSES]
const CREATIONS: Trigger[] = ['create', 'createImmediate', 'createPlanned', 'createScheduled', 'createWaiting']

describe('the table of moves', () => {
  it.each(STATES)('has the moves of the model from %s, and no other', (state) => {
    for (const trigger of TRIGGERS) {
      const expected = next(state, trigger)
      const found = step(state, trigger)
      expect(found && { to: found.to, tells: found.emits }, `${state} --${trigger}-->`).toEqual(expected)
    }
  })

  it('names each pair of state and trigger at most once', () => {
    const pairs = MOVES.flatMap(({ on, from }) => from.map((state) => `${state} ${on}`))
    expect(new Set(pairs).size).toBe(pairs.length)
  })

  it('has a row for every trigger, and a way into every state', () => {
    for (const trigger of TRIGGERS) expect(statesFor(trigger), trigger).not.toHaveLength(0)
    expect(new Set(MOVES.map(({ to }) => to))).toEqual(new Set([...JOB_STATUSES, 'same']))
  })
})

describe('10,000 lives of jobs', () => {
  const life = fc.tuple(fc.constantFrom(...CREATIONS), fc.array(fc.constantFrom(...TRIGGERS), { maxLength: 60 }))

  it('go as the model says, and every promise holds in each', () => {
    const property = fc.property(life, ([birth, triggers]) => {
      let state: State = NONE
      let ready = 0
      let announced = 0
      let created = 0
      for (const trigger of [birth, ...triggers]) {
        const before: State = state
        const found = step(before, trigger)
        const expected = next(before, trigger)
        expect(found && { to: found.to, tells: found.emits }).toEqual(expected)
        if (!found) continue
        state = found.to
        created += found.emits.filter((topic) => topic === 'job:created').length
        announced += found.emits.filter((topic) => topic === 'job:ready').length
        ready += state === 'ready' && before !== 'ready' ? 1 : 0
        if (before !== NONE && isEnded(before) && state !== before) expect(['retry', 'schedule']).toContain(trigger)
        if (state === 'completed' && before !== 'completed') expect(found.emits).toEqual(['job:completed'])
        if (state === 'failed' && before !== 'failed') expect(found.emits).toEqual(['job:failed'])
        if (state === 'scheduled') expect(found.emits.length > 0 || before === 'scheduled').toBe(true)
        expect(announced, 'told ready once each time it becomes ready').toBe(ready)
      }
      expect(created).toBe(1)
    })
    fc.assert(property, { numRuns: 10_000 })
  }, 60_000)
})

describe('the page of moves', () => {
  const page = jobsPage(MOVES)

  it('draws an arrow for every move that changes the state', () => {
    for (const { on, from, to } of MOVES) {
      for (const state of from) {
        if (to === 'same' || state === to) continue
        const [a, b] = [state, to].map((name) => (name === NONE ? '[*]' : name.replaceAll('-', '_')))
        const arrow = page.split('\n').find((line) => line.startsWith(`  ${a} --> ${b}: `))
        expect(arrow?.split(': ')[1]?.split(', '), `${state} --${on}--> ${to}`).toContain(on)
      }
    }
  })

  it('has a row for every row', () => {
    for (const { on, from } of MOVES) expect(page).toContain(`| ${on} | ${from.join(', ')} |`)
  })
})
