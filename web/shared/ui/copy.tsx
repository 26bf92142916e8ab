/** A button that copies. */
import { useTexts } from '../texts/texts.tsx'
import { Button } from './controls.tsx'
import { toast } from './toast.tsx'

/** @param name what it copies, for who does not see what stands beside it */
export function Copy({ value, name }: { value: string; name: string }) {
  const { t } = useTexts()
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
