/** Space statistics: number of workbooks and files, creator's name and last activity. */
import { mapConcurrent } from '../core/concurrency.ts'
import { Files } from '../entities/files.ts'
import type { StoredSpace } from '../entities/spaces.ts'
import { Users } from '../entities/users.ts'
import { Workbooks } from '../entities/workbooks.ts'
import { getLatestEventTime } from '../events/list.ts'

export interface SpaceStats {
  workbooksCount: number
  filesCount: number
  createdByUserName?: string
  lastActivityAt: string
}

export async function getSpaceStats(space: StoredSpace): Promise<SpaceStats> {
  const [workbooksCount, filesCount, latest, user] = await Promise.all([
    Workbooks.countIn(space.id),
    Files.countIn(space.id),
    getLatestEventTime(space.id),
    space.createdByUserId === undefined ? undefined : Users.get(space.createdByUserId),
  ])
  return {
    workbooksCount,
    filesCount,
    ...withCreatorName(user?.name),
    lastActivityAt: latestOf(space.updatedAt, latest),
  }
}

const CONCURRENCY = 25

/** Lists each environment once instead of each space. */
export async function getStatsOfSpaces(
  accountId: string,
  environmentIds: readonly string[],
  spaces: readonly StoredSpace[],
): Promise<Map<string, SpaceStats>> {
  const [workbooks, files, users, latest] = await Promise.all([
    countPerSpace(environmentIds, Workbooks.inEnvironment),
    countPerSpace(environmentIds, Files.inEnvironment),
    Users.list('inAccount', { accountId }),
    mapConcurrent(CONCURRENCY, spaces, ({ id }) => getLatestEventTime(id)),
  ])
  const names = new Map(users.map(({ id, name }) => [id, name]))
  return new Map(
    spaces.map(({ id, createdByUserId, updatedAt }, index) => [
      id,
      {
        workbooksCount: workbooks.get(id) ?? 0,
        filesCount: files.get(id) ?? 0,
        ...withCreatorName(names.get(createdByUserId ?? '')),
        lastActivityAt: latestOf(updatedAt, latest[index]),
      },
    ]),
  )
}

const withCreatorName = (name: string | undefined) => (name === undefined ? {} : { createdByUserName: name })

const latestOf = (updatedAt: string, eventTime: string | undefined): string =>
  eventTime !== undefined && eventTime > updatedAt ? eventTime : updatedAt

interface SpaceItem {
  spaceId?: string | undefined
  expiredAt?: string | undefined
}

async function countPerSpace(
  environmentIds: readonly string[],
  list: (environmentId: string) => Promise<SpaceItem[]>,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const items of await Promise.all(environmentIds.map((id) => list(id))))
    for (const { spaceId, expiredAt } of items)
      if (spaceId !== undefined && expiredAt === undefined) counts.set(spaceId, (counts.get(spaceId) ?? 0) + 1)
  return counts
}
