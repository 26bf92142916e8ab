import { useTranslation } from '../../shared/texts/texts.tsx'
import { type Option, SelectField } from '../../shared/ui/controls.tsx'

interface Props {
  value: string
  statuses: readonly Option[]
  onChange(value: string): void
}

export function StatusFilter({ value, statuses, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <SelectField
      hideLabel
      label={t('status')}
      value={value}
      options={[{ value: '', label: t('allStatuses') }, ...statuses]}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
