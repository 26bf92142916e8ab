/** The action a job is created for: of what the job is about, or of what that lives in and offers it there. */
import { type Action, Actions } from '../../../schemas/action.ts'
import type { CreateJob } from '../../../schemas/job.ts'
import type { Resource } from '../../auth/scopes.ts'
import { Actions as StandAlone } from '../../entities/actions.ts'
import { Spaces } from '../../entities/spaces.ts'
import { Workbooks } from '../../entities/workbooks.ts'
import { placeOfResource } from '../references.ts'

export type Request = Pick<CreateJob, 'operation' | 'subject' | 'input' | 'source'>

export const operationOf = ({ operation, slug }: Action): string | undefined => operation ?? slug ?? undefined

/** The column an action is called on. */
export function columnOf({ subject }: Pick<Request, 'subject'>): string | undefined {
  const key = subject?.type === 'collection' ? subject.params?.columnKey : undefined
  return typeof key === 'string' ? key : undefined
}

/** The action with the job's operation; undefined for a job of no action. */
export async function actionFor(resource: Resource, job: Request): Promise<Action | undefined> {
  const column = columnOf(job)
  const isMeant = (action: Action): boolean => operationOf(action) === job.operation
  const own = [...fieldActions(resource, column), ...configured(resource), ...(await standAlone(job.source))]
  const found = own.find((action) => isMeant(action) && (!action.mount || isMounted(action, resource, column)))
  if (found) return found
  return (await above(resource)).find((action) => isMeant(action) && isMounted(action, resource, column))
}

const standAlone = async (targetId: string): Promise<Action[]> =>
  (await StandAlone.onTarget(targetId)).map(({ config }) => config)

/** Those that stand in the configuration of the thing. */
export function configured(resource: Resource): readonly Action[] {
  switch (resource.kind) {
    case 'space':
      return resource.space.actions ?? []
    case 'workbook':
      return resource.workbook.actions ?? []
    case 'sheet':
      // A sheet's configuration is kept as it came.
      return Actions.safeParse(resource.sheet.config.actions).data ?? []
    case 'file':
      return resource.file.actions ?? []
    case 'document':
      return resource.document.actions ?? []
    case 'agent':
      return []
  }
}

function fieldActions(resource: Resource, column: string | undefined): readonly Action[] {
  if (resource.kind !== 'sheet' || column === undefined) return []
  return resource.sheet.config.fields.find(({ key }) => key === column)?.actions ?? []
}

/** Of what the thing lives in. */
async function above(resource: Resource): Promise<Action[]> {
  const { spaceId } = placeOfResource(resource)
  if (resource.kind === 'space' || spaceId === undefined) return []
  const space = await Spaces.get(spaceId)
  const inSpace = [...(space?.actions ?? []), ...(await standAlone(spaceId))]
  if (resource.kind !== 'sheet') return inSpace
  const { workbookId } = resource.sheet
  const workbook = await Workbooks.get(workbookId)
  return [...(workbook?.actions ?? []), ...(await standAlone(workbookId)), ...inSpace]
}

/** Is the action offered there? */
function isMounted({ mount }: Action, resource: Resource, column: string | undefined): boolean {
  switch (mount?.type) {
    case 'sheet':
      return resource.kind === 'sheet' && isNamed(mount.slugs, resource.sheet.slug)
    case 'workbook':
      return (
        resource.kind === 'workbook' &&
        (isNamed(mount.slugs, resource.workbook.namespace) || isNamed(mount.slugs, resource.workbook.name))
      )
    case 'field':
      return resource.kind === 'sheet' && column !== undefined && isNamed(mount.keys, column)
    case 'document':
    case 'file':
      return resource.kind === mount.type
    default:
      return false
  }
}

/** Without names it is everywhere. */
const isNamed = (names: readonly string[] | null | undefined, name: string | undefined): boolean =>
  !names?.length || (name !== undefined && names.includes(name))
