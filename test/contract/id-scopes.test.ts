/** Every id in a request is marked with its scope and has a request that attacks it (id-scopes.full.test.ts). */
import { describe, expect, it } from 'vitest'
import { ALL, BASES, ID_AT, ID_OF, marked, NOT_TAKEN } from '../support/id-attacks.ts'

describe('every id in a request', () => {
  it('is marked in its schema', () => {
    const unmarked = ALL.filter(({ place }) => place.scope === undefined).map(
      ({ name }) =>
        `${name} is an id, or called like one, and not marked: make it scoped('<kind>') and load it with loadScope, narrowing('<kind>') where it is looked up among what the request reaches, or unscoped('<reason>') (schemas/kit/ids.ts)`,
    )
    expect(unmarked).toEqual([])
  })

  it('is of a kind that the tests have an id for', () => {
    const kinds = new Set(marked.flatMap(({ scope }) => scope.kinds))
    expect([...kinds].filter((kind) => !(kind in ID_OF))).toEqual([])
  })

  it('has a test request only where there is such a location', () => {
    const names = ALL.map(({ name }) => name)
    const used = (key: string) => names.some((name) => name === key || name.startsWith(`${key}.`))
    expect(
      [...Object.keys(BASES), ...Object.keys(ID_AT), ...Object.keys(NOT_TAKEN)].filter((key) => !used(key)),
    ).toEqual([])
  })
})
