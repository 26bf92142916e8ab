/**
 * Which actions are offered where: those of a thing's own configuration, those made for it, and those of what it lives in that are
 * mounted there. Pure, and as the server finds the action of a job.
 */
import type { Action, Sheet, SheetField, Space, StandAlone, Workbook } from './data.ts'

export interface Around {
  space: Space
  standAlone: readonly StandAlone[]
  /** Of a sheet or a field. */
  workbook?: Workbook
}
export type Place =
  | { kind: 'space' | 'file' | 'document'; id: string; actions?: readonly Action[] | null }
  | { kind: 'workbook'; id: string; workbook: Workbook }
  | { kind: 'sheet'; id: string; sheet: Sheet }
  /** Its id is its sheet's. */
  | { kind: 'field'; id: string; sheet: Sheet; field: SheetField }

export function offered(place: Place, { space, standAlone, workbook }: Around): Action[] {
  const of = (id: string | undefined) => standAlone.filter(({ targetId }) => targetId === id)
  const own = [...configured(place), ...of(place.id)]
  const mounted = (action: Action) => isMounted(action, place)
  if (place.kind === 'space') return own.filter((action) => !action.mount)
  const around = [
    ...(place.kind === 'sheet' || place.kind === 'field' ? [...(workbook?.actions ?? []), ...of(workbook?.id)] : []),
    ...(space.actions ?? []),
    ...of(space.id),
  ].filter(mounted)
  if (place.kind !== 'field') return [...own.filter((action) => !action.mount || mounted(action)), ...around]
  // What a sheet offers without a word of columns is no column's.
  return [...actionsOf(place.field.actions), ...own.filter(mounted), ...around]
}

function configured(place: Place): readonly Action[] {
  switch (place.kind) {
    case 'workbook':
      return place.workbook.actions ?? []
    case 'sheet':
    case 'field':
      return actionsOf(place.sheet.config.actions)
    default:
      return place.actions ?? []
  }
}

/** A sheet's configuration is kept as it came. */
const actionsOf = (kept: unknown): Action[] => (Array.isArray(kept) ? (kept as Action[]) : [])

function isMounted({ mount }: Action, place: Place): boolean {
  switch (mount?.type) {
    case 'sheet':
      return place.kind === 'sheet' && isNamed(mount.slugs, [place.sheet.slug])
    case 'workbook':
      return place.kind === 'workbook' && isNamed(mount.slugs, [place.workbook.namespace, place.workbook.name])
    case 'field':
      return place.kind === 'field' && isNamed(mount.keys, [place.field.key])
    case 'document':
    case 'file':
      return place.kind === mount.type
    default:
      return false
  }
}

/** Without names it is everywhere. */
const isNamed = (names: readonly string[] | null | undefined, known: readonly (string | null | undefined)[]): boolean =>
  !names?.length || known.some((name) => name != null && names.includes(name))
