import { useTranslation } from '../../shared/texts/texts.tsx'
import { Combobox } from '../../shared/ui/combobox.tsx'
import { PageHeader } from '../parts/page.tsx'
import { useFilter } from '../parts/paging.tsx'
import { AUDIT_ACTIONS, AuditTable, useAudit } from './audit-table.tsx'

export default function Audit() {
  const { t } = useTranslation()
  const [action, setAction] = useFilter('action')
  const list = useAudit(action ? { action } : {})
  return (
    <>
      <PageHeader title={t('audit')} text={t('auditText')} />
      <div className="filters">
        <Combobox
          hideLabel
          label={t('action')}
          value={action}
          options={[
            { value: '', label: t('allActions') },
            ...Object.entries(AUDIT_ACTIONS).map(([value, text]) => ({ value, label: t(text) })),
          ]}
          onChange={setAction}
        />
      </div>
      <AuditTable list={list} empty={t(action ? 'nothingFound' : 'noAudit')} />
    </>
  )
}
