/** An id of another account, or space for a guest, gets the response of a nonexistent id, and changes nothing. */
import { beforeAll, describe, expect, it } from 'vitest'
import { GUEST_ROLES } from '../../schemas/access/permissions.ts'
import type { Contract } from '../../schemas/kit/endpoint.ts'
import type { Kind } from '../../schemas/kit/ids.ts'
import { type ApiResponse, createCaller } from '../support/api.ts'
import { type ExampleRequest, sendRequest } from '../support/call-example.ts'
import { createFixture, type Fixture } from '../support/fixture.ts'
import { createUnknownId } from '../support/foreign.ts'
import { ID_AT, ID_OF, type Ids, type Marked, marked, NOT_TAKEN } from '../support/id-attacks.ts'
import { formatLocation, setAt } from '../support/id-locations.ts'
import { createSpaceFixture, extendFixture } from '../support/space-fixture.ts'

const withId = ({ base, place, scope: _ }: Marked, ids: Ids, id: string): ExampleRequest => {
  const request = base(ids)
  const isList = place.part === 'query' && /Ids$|^ids$/.test(place.path.at(-1)!)
  return { ...request, [place.part]: setAt(request[place.part], place.path, isList ? [id] : id) }
}

const neutralize = ({ status, body }: ApiResponse, id: string): string =>
  `${status} ${JSON.stringify(body)}`
    .replaceAll(id, '<id>')
    .replace(/(us_[a-z]+)_[0-9A-Z]{10,}(_\d+)?/g, '$1')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/eyJ[\w.-]+/g, '<token>')

let victim: Fixture
let attacker: Fixture
let otherSpace: { ids: Ids; guest: string }

beforeAll(async () => {
  victim = await extendFixture(await createFixture())
  attacker = await extendFixture(await createFixture())
  otherSpace = await createSpaceFixture(victim)
}, 120_000)

const idFor = ({ name, place }: Marked, kind: Kind, ids: Ids): string => {
  if (kind === 'event' && /^for/.test(place.path.at(-1)!)) return ids.sheetEventId!
  return ids[ID_AT[name] ?? ID_OF[kind]!]!
}

function foreignIds(attack: Marked, theirs: Ids): { kind: Kind; foreign: string; nothing: string }[] {
  return attack.scope.kinds.map((kind) => {
    const foreign = idFor(attack, kind, theirs)
    const nothing =
      kind === 'commit' ? foreign.replace(/.(?=_\d+$)/, (last) => (last === 'Z' ? 'Y' : 'Z')) : createUnknownId(foreign)
    return { kind, foreign, nothing }
  })
}

async function expectSameAnswer(attack: Marked, token: string, ids: Ids, theirs: Ids): Promise<void> {
  for (const { kind, foreign, nothing } of foreignIds(attack, theirs)) {
    const hidden = await sendRequest(attack.endpoint, token, withId(attack, ids, foreign))
    const missing = await sendRequest(attack.endpoint, token, withId(attack, ids, nothing))
    const where = `${attack.name} with a foreign ${kind}`
    if (attack.scope.rejectsForeign) {
      expect([400, 403, 404], `${where} is taken: ${JSON.stringify(hidden.body).slice(0, 300)}`).toContain(
        hidden.status,
      )
    }
    expect(neutralize(hidden, foreign), where).toBe(neutralize(missing, nothing))
  }
}

async function expectTaken(attack: Marked, { token, account, ids }: Fixture): Promise<void> {
  for (const kind of attack.scope.kinds.filter((each) => !NOT_TAKEN[attack.name]?.[each])) {
    const own = idFor(attack, kind, ids)
    const byPerson = await sendRequest(attack.endpoint, token, withId(attack, ids, own))
    const answer =
      byPerson.status === 403
        ? await sendRequest(attack.endpoint, account.secretKey, withId(attack, ids, own))
        : byPerson
    expect(
      [200, 302, 307, 409],
      `${attack.name} with the caller's own ${kind} is refused, which proves nothing of foreign ones: give a request for it in BASES. ${JSON.stringify(answer.body).slice(0, 400)}`,
    ).toContain(answer.status)
  }
}

const listEventsSince = async (since: string, token: string, query: string): Promise<string[]> => {
  const path = `/events?${query}&since=${since}&includeAcknowledged=true`
  return (await createCaller(token)('GET', path)).body.data.map(
    ({ id, topic }: { id: string; topic: string }) => `${topic} ${id}`,
  )
}

function groupByEndpoint(attacks: Marked[]): [string, Marked[]][] {
  const groups = new Map<string, Marked[]>()
  for (const attack of attacks) {
    const name = attack.name.split(' ')[0]!
    groups.set(name, [...(groups.get(name) ?? []), attack])
  }
  return [...groups]
}

describe('an existing id of another account', () => {
  describe.each(groupByEndpoint(marked))('%s', (_, attacks) => {
    it.each(attacks.map((attack) => [formatLocation(attack.place), attack] as const))(
      'in %s behaves like a nonexistent id, and changes nothing',
      async (_place, attack) => {
        const start = new Date().toISOString()
        for (const token of [attacker.token, attacker.account.secretKey])
          await expectSameAnswer(attack, token, attacker.ids, victim.ids)
        expect(await listEventsSince(start, victim.token, `environmentId=${victim.ids.environmentId}`)).toEqual([])
        if (attack.endpoint.method !== 'DELETE') await expectTaken(attack, attacker)
      },
    )
  })
})

describe('an existing id of another space, named by a guest', () => {
  const admits = ({ policy }: Contract) =>
    'can' in policy && (GUEST_ROLES.singleSpaceGuest as readonly string[]).includes(policy.can)
  const above: readonly Kind[] = ['account', 'environment']
  const elsewhere = marked
    .filter(({ endpoint }) => admits(endpoint))
    .map((attack) => ({
      ...attack,
      scope: { ...attack.scope, kinds: attack.scope.kinds.filter((kind) => !above.includes(kind)) },
    }))
    .filter(({ scope }) => scope.kinds.length > 0)

  describe.each(groupByEndpoint(elsewhere))('%s', (_, attacks) => {
    it.each(attacks.map((attack) => [formatLocation(attack.place), attack] as const))(
      'in %s behaves like a nonexistent id, and changes nothing',
      async (_place, attack) => {
        const start = new Date().toISOString()
        await expectSameAnswer(attack, otherSpace.guest, otherSpace.ids, victim.ids)
        expect(await listEventsSince(start, victim.token, `spaceId=${victim.ids.spaceId}`)).toEqual([])
      },
    )
  })
})
