/** Finds the actions available on a resource. Pure functions; must match how the server finds the action of a job. */
import type { Action, Sheet, SheetField, Space, StandaloneAction, Workbook } from './queries.ts'

export interface ActionContext {
  space: Space
  standAlone: readonly StandaloneAction[]
  workbook?: Workbook
}
type AllActions = Omit<ActionContext, 'workbook'> & { workbooks: readonly Workbook[] }
export type ActionTarget =
  | { kind: 'space' | 'file' | 'document'; id: string; actions?: readonly Action[] | null }
  | { kind: 'workbook'; id: string; workbook: Workbook }
  | { kind: 'sheet'; id: string; sheet: Sheet }
  | { kind: 'field'; id: string; sheet: Sheet; field: SheetField }

export const getOperation = (action: Action): string => action.operation ?? action.slug ?? ''

export function findActionLabel(operation: string, { space, standAlone, workbooks }: AllActions): string | undefined {
  const sheets = workbooks.flatMap((workbook) => workbook.sheets ?? [])
  const ofSheets = sheets.flatMap(({ config }) => toActions(config.actions))
  const all = [
    ...(space.actions ?? []),
    ...standAlone,
    ...workbooks.flatMap(({ actions }) => actions ?? []),
    ...ofSheets,
  ]
  return all.find((action) => getOperation(action) === operation)?.label
}

export function findAvailableActions(target: ActionTarget, { space, standAlone, workbook }: ActionContext): Action[] {
  const findAttached = (id: string | undefined) => standAlone.filter(({ targetId }) => targetId === id)
  const ownActions = [...getConfiguredActions(target), ...findAttached(target.id)]
  const isMountedHere = (action: Action) => isMounted(action, target)
  if (target.kind === 'space') return ownActions.filter((action) => !action.mount)
  const parentActions = [
    ...(target.kind === 'sheet' || target.kind === 'field'
      ? [...(workbook?.actions ?? []), ...findAttached(workbook?.id)]
      : []),
    ...(space.actions ?? []),
    ...findAttached(space.id),
  ].filter(isMountedHere)
  if (target.kind !== 'field')
    return [...ownActions.filter((action) => !action.mount || isMountedHere(action)), ...parentActions]
  // A column shows an action of its sheet only if the action is mounted on fields.
  return [...toActions(target.field.actions), ...ownActions.filter(isMountedHere), ...parentActions]
}

function getConfiguredActions(target: ActionTarget): readonly Action[] {
  switch (target.kind) {
    case 'workbook':
      return target.workbook.actions ?? []
    case 'sheet':
    case 'field':
      return toActions(target.sheet.config.actions)
    default:
      return target.actions ?? []
  }
}

const toActions = (config: unknown): Action[] => (Array.isArray(config) ? (config as Action[]) : [])

function isMounted({ mount }: Action, target: ActionTarget): boolean {
  switch (mount?.type) {
    case 'sheet':
      return target.kind === 'sheet' && matchesNames(mount.slugs, [target.sheet.slug])
    case 'workbook':
      return target.kind === 'workbook' && matchesNames(mount.slugs, [target.workbook.namespace, target.workbook.name])
    case 'field':
      return target.kind === 'field' && matchesNames(mount.keys, [target.field.key])
    case 'document':
    case 'file':
      return target.kind === mount.type
    default:
      return false
  }
}

const matchesNames = (
  names: readonly string[] | null | undefined,
  candidates: readonly (string | null | undefined)[],
): boolean => !names?.length || candidates.some((name) => name != null && names.includes(name))
