import type { Shape } from '../../shared/api/shape.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { type ImportMode, isKeyed } from './import-settings.ts'

type Preview = Shape<'MappingPreview'>

export function Counts({ preview, mode }: { preview: Preview | undefined; mode: ImportMode }) {
  const { t, number, translate } = useTranslation()
  if (!preview) return null
  const { created, deleted, valid, invalid } = preview.counts
  return (
    <div className="notice import-counts" role="status">
      {isKeyed(mode) ? (
        <KeyedCounts counts={preview.counts} />
      ) : (
        <p>{t('previewCounts', { count: created, valid: number(valid), invalid: number(invalid) })}</p>
      )}
      {mode === 'replace' && <p>{t('countDeleted', { count: deleted })}</p>}
      {preview.info && <p dir="auto">{translate(preview.info)}</p>}
    </div>
  )
}

function KeyedCounts({ counts }: { counts: Preview['counts'] }) {
  const { t } = useTranslation()
  const { created, updated, unchanged, skipped, invalid } = counts
  const facts = [
    t('countCreated', { count: created }),
    t('countUpdated', { count: updated }),
    t('countUnchanged', { count: unchanged }),
    ...(skipped.emptyKey > 0 ? [t('countEmptyKey', { count: skipped.emptyKey })] : []),
    ...(skipped.noRecord > 0 ? [t('countNoRecord', { count: skipped.noRecord })] : []),
    ...(invalid > 0 ? [t('countInvalid', { count: invalid })] : []),
  ]
  return (
    <ul>
      {facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
    </ul>
  )
}
