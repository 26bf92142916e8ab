/** What is told of spaces beside what they say themselves: how much they hold, who made them, when something last happened. */
import { Files, type StoredFile } from '../entities/files.ts'
import { Jobs, type StoredJob } from '../entities/jobs.ts'
import type { StoredSpace } from '../entities/spaces.ts'
import { Users } from '../entities/users.ts'
import { type StoredWorkbook, Workbooks } from '../entities/workbooks.ts'

export interface SpaceFigures {
  workbooksCount: number
  filesCount: number
  /** Of a space a user made. */
  createdByUserName?: string
  /** The latest change of the space itself, of a workbook, a file or a job of it; ISO-8601. */
  lastActivityAt: string
}

/** Of one space. */
export async function figuresOf(space: StoredSpace): Promise<SpaceFigures> {
  const [workbooks, files, jobs, user] = await Promise.all([
    Workbooks.inSpace(space.id),
    Files.inSpace(space.id),
    Jobs.inSpace(space.id),
    space.createdByUserId === undefined ? undefined : Users.get(space.createdByUserId),
  ])
  return figures(space, { workbooks, files, jobs }, user?.name)
}

/** Of all spaces of some environments of one account, by id: what is in an environment is read as a whole. */
export async function figuresIn(
  accountId: string,
  environmentIds: readonly string[],
  spaces: readonly StoredSpace[],
): Promise<Map<string, SpaceFigures>> {
  const inAll = async <T extends { spaceId?: string | undefined }>(list: (id: string) => Promise<T[]>) =>
    bySpace((await Promise.all(environmentIds.map((id) => list(id)))).flat())
  const [workbooks, files, jobs, users] = await Promise.all([
    inAll(Workbooks.inEnvironment),
    inAll(Files.inEnvironment),
    inAll(Jobs.inEnvironment),
    Users.list('inAccount', { accountId }),
  ])
  const names = new Map(users.map(({ id, name }) => [id, name]))
  return new Map(
    spaces.map((space) => {
      const { id } = space
      const held = { workbooks: workbooks.get(id) ?? [], files: files.get(id) ?? [], jobs: jobs.get(id) ?? [] }
      return [id, figures(space, held, names.get(space.createdByUserId ?? ''))]
    }),
  )
}

function bySpace<T extends { spaceId?: string | undefined }>(things: readonly T[]): Map<string, T[]> {
  const found = new Map<string, T[]>()
  for (const thing of things) {
    if (thing.spaceId === undefined) continue
    const known = found.get(thing.spaceId)
    if (known) known.push(thing)
    else found.set(thing.spaceId, [thing])
  }
  return found
}

function figures(
  space: StoredSpace,
  { workbooks, files, jobs }: { workbooks: StoredWorkbook[]; files: StoredFile[]; jobs: StoredJob[] },
  name: string | undefined,
): SpaceFigures {
  const times = [space, ...workbooks, ...files, ...jobs].map(({ updatedAt }) => updatedAt)
  return {
    workbooksCount: workbooks.filter(({ expiredAt }) => expiredAt === undefined).length,
    filesCount: files.filter(({ expiredAt }) => expiredAt === undefined).length,
    ...(name === undefined ? {} : { createdByUserName: name }),
    lastActivityAt: times.toSorted().at(-1)!,
  }
}
