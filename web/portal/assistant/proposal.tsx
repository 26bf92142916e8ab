import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type TextKey, useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Badge, ErrorNotice } from '../../shared/ui/states.tsx'
import { sheetQuery } from '../queries.ts'
import { decide, type Proposal } from './data.ts'

const TITLES: Record<Proposal['kind'], TextKey> = {
  edit: 'proposalEdit',
  'replace-text': 'proposalReplaceText',
  'set-values': 'proposalSetValues',
  'update-records': 'proposalUpdateRecords',
  merge: 'proposalMerge',
  'create-missing': 'proposalCreateMissing',
  import: 'proposalImport',
  mutation: 'proposalMutation',
  constraint: 'proposalConstraint',
}

const COUNTS: Record<string, TextKey> = {
  records: 'recordCount',
  created: 'countCreated',
  updated: 'countUpdated',
  unchanged: 'countUnchanged',
  deleted: 'countDeleted',
}

export function ProposalCard({ proposal }: { proposal: Proposal }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const decision = useMutation({
    mutationFn: (made: 'apply' | 'undo') => decide(proposal, made),
    onSettled: () => client.invalidateQueries({ queryKey: ['conversation', proposal.threadId] }),
  })
  const { kind, sheetId, sheetName, fields, reason, preview, status } = proposal
  const counts = Object.entries(COUNTS).flatMap(([name, key]) => {
    const count = preview.counts[name]
    return count === undefined ? [] : t(key, { count })
  })
  return (
    <article className="proposal" aria-label={t(TITLES[kind])}>
      <header>
        <strong>{t(TITLES[kind])}</strong>
        <bdi>{t('proposalIn', { sheet: sheetName })}</bdi>
        {status === 'applied' && <Badge tone="good">{t('assistantApplied')}</Badge>}
        {status === 'undone' && <Badge>{t('assistantUndone')}</Badge>}
      </header>
      {reason && <p dir="auto">{reason}</p>}
      {counts.length > 0 && <p className="hint">{counts.join(' · ')}</p>}
      {preview.examples.length > 0 && <Examples examples={preview.examples} sheetId={sheetId} fields={fields} />}
      {decision.error && <ErrorNotice error={decision.error} />}
      {status !== 'undone' && (
        <div className="actions">
          {status === 'applied' ? (
            <Button busy={decision.isPending} onClick={() => decision.mutate('undo')}>
              {t('undo')}
            </Button>
          ) : (
            <Button
              kind="primary"
              busy={decision.isPending || status === 'applying'}
              onClick={() => decision.mutate('apply')}
            >
              {t('apply')}
            </Button>
          )}
        </div>
      )}
    </article>
  )
}

const formatValue = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '–' : JSON.stringify(value)

interface ExamplesProps extends Pick<Proposal, 'sheetId' | 'fields'> {
  examples: Proposal['preview']['examples']
}

function Examples({ examples, sheetId, fields }: ExamplesProps) {
  const { t } = useTranslation()
  const { data: sheet } = useQuery(sheetQuery(sheetId))
  const getLabel = (key: string): string => sheet?.config.fields.find((field) => field.key === key)?.label ?? key
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('field')}</th>
          <th scope="col">{t('exampleBefore')}</th>
          <th scope="col">{t('exampleAfter')}</th>
        </tr>
      </thead>
      <tbody>
        {examples.map(({ field, before, after }) => (
          <tr key={`${field} ${formatValue(before)}`}>
            <td dir="auto">{(field === undefined ? fields : [field]).map(getLabel).join(', ')}</td>
            <td dir="auto">{formatValue(before)}</td>
            <td dir="auto">{formatValue(after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
