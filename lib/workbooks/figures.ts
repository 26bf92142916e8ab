/** What is told of spaces beside what they say themselves: how much they hold, who made them, when something last happened. */
import { inFlight } from '../core/in-flight.ts'
import { Files } from '../entities/files.ts'
import type { StoredSpace } from '../entities/spaces.ts'
import { Users } from '../entities/users.ts'
import { Workbooks } from '../entities/workbooks.ts'
import { latestIn } from '../events/list.ts'

export interface SpaceFigures {
  workbooksCount: number
  filesCount: number
  /** Of a space a user made. */
  createdByUserName?: string
  /** The latest change of the space itself, or the latest event in it: of a workbook, its records, a file, a job; ISO-8601. */
  lastActivityAt: string
}

/** Of one space: however much it holds, none of it leaves the database. */
export async function figuresOf(space: StoredSpace): Promise<SpaceFigures> {
  const [workbooksCount, filesCount, latest, user] = await Promise.all([
    Workbooks.countIn(space.id),
    Files.countIn(space.id),
    latestIn(space.id),
    space.createdByUserId === undefined ? undefined : Users.get(space.createdByUserId),
  ])
  return { workbooksCount, filesCount, ...named(user?.name), lastActivityAt: later(space.updatedAt, latest) }
}

/** Spaces whose latest event is asked for at the same time. */
const AT_ONCE = 25

/** Of all spaces of some environments of one account, by id: what is in an environment is counted as a whole. */
export async function figuresIn(
  accountId: string,
  environmentIds: readonly string[],
  spaces: readonly StoredSpace[],
): Promise<Map<string, SpaceFigures>> {
  const [workbooks, files, users, latest] = await Promise.all([
    perSpace(environmentIds, Workbooks.inEnvironment),
    perSpace(environmentIds, Files.inEnvironment),
    Users.list('inAccount', { accountId }),
    inFlight(AT_ONCE, spaces, ({ id }) => latestIn(id)),
  ])
  const names = new Map(users.map(({ id, name }) => [id, name]))
  return new Map(
    spaces.map(({ id, createdByUserId, updatedAt }, at) => [
      id,
      {
        workbooksCount: workbooks.get(id) ?? 0,
        filesCount: files.get(id) ?? 0,
        ...named(names.get(createdByUserId ?? '')),
        lastActivityAt: later(updatedAt, latest[at]),
      },
    ]),
  )
}

const named = (name: string | undefined) => (name === undefined ? {} : { createdByUserName: name })

const later = (changed: string, told: string | undefined): string =>
  told !== undefined && told > changed ? told : changed

interface Held {
  spaceId?: string | undefined
  expiredAt?: string | undefined
}

/** How many each space has, without those that are expired. */
async function perSpace(
  environmentIds: readonly string[],
  list: (environmentId: string) => Promise<Held[]>,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const held of await Promise.all(environmentIds.map((id) => list(id))))
    for (const { spaceId, expiredAt } of held)
      if (spaceId !== undefined && expiredAt === undefined) counts.set(spaceId, (counts.get(spaceId) ?? 0) + 1)
  return counts
}
