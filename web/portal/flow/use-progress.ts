import { useQuery } from '@tanstack/react-query'
import { type ActionTarget, findAvailableActions, getOperation } from '../available-actions.ts'
import {
  type Action,
  actionsQuery,
  filesQuery,
  isTargetWorkbook,
  jobsQuery,
  type Space,
  type Workbook,
  workbooksQuery,
} from '../queries.ts'
import { deriveProgress, type Progress } from './progress.ts'

export interface Submission {
  action: Action
  target: ActionTarget
  workbook?: Workbook
}

export interface SpaceProgress extends Progress {
  submit?: Submission
  isLoaded: boolean
}

export function useProgress(space: Space): SpaceProgress {
  const workbooks = useQuery(workbooksQuery(space.id))
  const files = useQuery(filesQuery(space.id))
  const jobs = useQuery(jobsQuery(space.id))
  const standAlone = useQuery(actionsQuery(space.id))
  const submit = findSubmission(space, workbooks.data ?? [], standAlone.data ?? [])
  return {
    ...deriveProgress(workbooks.data ?? [], files.data ?? [], jobs.data ?? [], submit && getOperation(submit.action)),
    submit,
    isLoaded: workbooks.data !== undefined && files.data !== undefined && jobs.data !== undefined,
  }
}

type StandAlone = Parameters<typeof findAvailableActions>[1]['standAlone']

function findSubmission(space: Space, workbooks: readonly Workbook[], standAlone: StandAlone): Submission | undefined {
  const targets: Omit<Submission, 'action'>[] = [
    ...workbooks
      .filter(isTargetWorkbook)
      .map((workbook) => ({ target: { kind: 'workbook', id: workbook.id, workbook } as const, workbook })),
    { target: { kind: 'space', id: space.id, actions: space.actions } },
  ]
  const found = targets.flatMap(({ target, workbook }) =>
    findAvailableActions(target, { space, workbook, standAlone }).map((action) => ({ action, target, workbook })),
  )
  const whole = found.filter(({ action }) => !needsSelection(action))
  return whole.find(({ action }) => action.primary) ?? whole.find(({ action }) => /submit/i.test(getOperation(action)))
}

const needsSelection = ({ requireSelection, constraints }: Action): boolean =>
  requireSelection === true || (constraints ?? []).some(({ type }) => type === 'hasSelection')

export const needsValidRecords = ({ action, target }: Submission): boolean =>
  target.kind === 'workbook' &&
  (action.requireAllValid === true || (action.constraints ?? []).some(({ type }) => type === 'hasAllValid'))
