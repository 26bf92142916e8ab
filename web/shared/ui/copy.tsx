/** Copy button. */
import { useTranslation } from '../texts/texts.tsx'
import { Button } from './controls.tsx'
import { toast } from './toast.tsx'

export function CopyButton({ value, name }: { value: string; name: string }) {
  const { t } = useTranslation()
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => toast(t('copied')),
      () => toast(t('notCopied'), 'error'),
    )
  return (
    <Button kind="ghost" aria-label={`${t('copy')}: ${name}`} onClick={() => void copy()}>
      {t('copy')}
    </Button>
  )
}
