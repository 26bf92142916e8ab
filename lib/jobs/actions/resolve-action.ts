import { type Action, Actions } from '../../../schemas/actions/shape.ts'
import type { CreateJob } from '../../../schemas/jobs/shape.ts'
import type { Resource } from '../../auth/load-resource.ts'
import { Actions as StandAlone } from '../../entities/actions.ts'
import { Spaces } from '../../entities/spaces.ts'
import { Workbooks } from '../../entities/workbooks.ts'
import { getResourceLocation } from '../request/resources.ts'

export type ActionRequest = Pick<CreateJob, 'operation' | 'subject' | 'input' | 'source'>

export const getActionOperation = ({ operation, slug }: Action): string | undefined => operation ?? slug ?? undefined

export function getColumn({ subject }: Pick<ActionRequest, 'subject'>): string | undefined {
  const key = subject?.type === 'collection' ? subject.params?.columnKey : undefined
  return typeof key === 'string' ? key : undefined
}

export async function findAction(resource: Resource, job: ActionRequest): Promise<Action | undefined> {
  const column = getColumn(job)
  const matchesJob = (action: Action): boolean => getActionOperation(action) === job.operation
  const directActions = [
    ...getFieldActions(resource, column),
    ...getConfiguredActions(resource),
    ...(await loadStandaloneActions(job.source)),
  ]
  const directMatch = directActions.find(
    (action) => matchesJob(action) && (!action.mount || isMounted(action, resource, column)),
  )
  if (directMatch) return directMatch
  return (await loadParentActions(resource)).find((action) => matchesJob(action) && isMounted(action, resource, column))
}

const loadStandaloneActions = async (targetId: string): Promise<Action[]> =>
  (await StandAlone.onTarget(targetId)).map(({ config }) => config)

export function getConfiguredActions(resource: Resource): readonly Action[] {
  switch (resource.kind) {
    case 'space':
      return resource.space.actions ?? []
    case 'workbook':
      return resource.workbook.actions ?? []
    case 'sheet':
      // Sheet configurations are stored unvalidated.
      return Actions.safeParse(resource.sheet.config.actions).data ?? []
    case 'file':
      return resource.file.actions ?? []
    case 'document':
      return resource.document.actions ?? []
    case 'agent':
      return []
  }
}

function getFieldActions(resource: Resource, column: string | undefined): readonly Action[] {
  if (resource.kind !== 'sheet' || column === undefined) return []
  return resource.sheet.config.fields.find(({ key }) => key === column)?.actions ?? []
}

async function loadParentActions(resource: Resource): Promise<Action[]> {
  const { spaceId } = getResourceLocation(resource)
  if (resource.kind === 'space' || spaceId === undefined) return []
  const space = await Spaces.get(spaceId)
  const spaceActions = [...(space?.actions ?? []), ...(await loadStandaloneActions(spaceId))]
  if (resource.kind !== 'sheet') return spaceActions
  const { workbookId } = resource.sheet
  const workbook = await Workbooks.get(workbookId)
  return [...(workbook?.actions ?? []), ...(await loadStandaloneActions(workbookId)), ...spaceActions]
}

function isMounted({ mount }: Action, resource: Resource, column: string | undefined): boolean {
  switch (mount?.type) {
    case 'sheet':
      return resource.kind === 'sheet' && matchesName(mount.slugs, resource.sheet.slug)
    case 'workbook':
      return (
        resource.kind === 'workbook' &&
        (matchesName(mount.slugs, resource.workbook.namespace) || matchesName(mount.slugs, resource.workbook.name))
      )
    case 'field':
      return resource.kind === 'sheet' && column !== undefined && matchesName(mount.keys, column)
    case 'document':
    case 'file':
      return resource.kind === mount.type
    default:
      return false
  }
}

const matchesName = (names: readonly string[] | null | undefined, name: string | undefined): boolean =>
  !names?.length || (name !== undefined && names.includes(name))
