/** Whether an import adds, updates or replaces records, and by which fields it finds them. */
import { type TextKey, useTranslation } from '../../shared/texts/texts.tsx'
import { SelectField } from '../../shared/ui/controls.tsx'
import { MultiSelect } from '../../shared/ui/multi-select.tsx'
import { ErrorNotice } from '../../shared/ui/states.tsx'
import { IMPORT_MODES, type ImportMode, type ImportSettings, isKeyed, lacksKey, withMode } from './import-settings.ts'
import type { Target } from './plan.ts'

const TEXTS: Record<ImportMode, { name: TextKey; hint: TextKey }> = {
  add: { name: 'modeAdd', hint: 'modeAddText' },
  upsert: { name: 'modeUpsert', hint: 'modeUpsertText' },
  update: { name: 'modeUpdate', hint: 'modeUpdateText' },
  replace: { name: 'modeReplace', hint: 'modeReplaceText' },
}

interface Props {
  settings: ImportSettings
  targets: readonly Target[]
  filled: ReadonlySet<string>
  problem: unknown
  onChange(settings: ImportSettings): void
}

export function ImportModeChoice({ settings, targets, filled, problem, onChange }: Props) {
  const { t } = useTranslation()
  const { mode, keyFields } = settings
  const options = targets
    .filter(({ key }) => filled.has(key) || keyFields.includes(key))
    .map(({ key, label }) => ({ value: key, label: label || key }))
  return (
    <section className="import-mode">
      <h2>{t('importMode')}</h2>
      <div className="import-mode-fields">
        <SelectField
          label={t('existingRecords')}
          value={mode}
          options={IMPORT_MODES.map((value) => ({ value, label: t(TEXTS[value].name) }))}
          onChange={({ target }) => onChange(withMode(settings, target.value as ImportMode, filled, targets))}
        />
        {isKeyed(mode) && (
          <MultiSelect
            label={t('keyFields')}
            options={options}
            value={keyFields}
            onChange={(keys) => onChange({ mode, keyFields: keys })}
          />
        )}
      </div>
      <p className={mode === 'replace' ? 'notice warn' : 'hint'}>{t(TEXTS[mode].hint)}</p>
      {lacksKey(settings) && (
        <p className="notice warn" role="status">
          {t('chooseKey')}
        </p>
      )}
      {problem !== undefined && isKeyed(mode) && !lacksKey(settings) && <ErrorNotice error={problem} />}
    </section>
  )
}
