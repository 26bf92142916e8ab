import { useState } from 'react'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { CopyButton } from '../../shared/ui/copy.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { formatJson, formatListener } from './code.ts'
import { type Draft, toBlueprint } from './draft.ts'

export function CodeDrawer({ draft, onClose }: { draft: Draft; onClose(): void }) {
  const { t } = useTranslation()
  const [kind, setKind] = useState<'json' | 'listener'>('json')
  const blueprint = toBlueprint(draft, t('submit'))
  const text = kind === 'json' ? formatJson(blueprint) : formatListener(blueprint)
  return (
    <Dialog title={t('code')} place="end" wide onClose={onClose}>
      <p className="muted form-text">{t(kind === 'json' ? 'codeJsonText' : 'codeListenerText')}</p>
      <div className="code-head">
        <fieldset className="segments" aria-label={t('code')}>
          {(['json', 'listener'] as const).map((one) => (
            <button key={one} type="button" aria-pressed={one === kind} onClick={() => setKind(one)}>
              {t(one === 'json' ? 'codeJson' : 'codeListener')}
            </button>
          ))}
        </fieldset>
        <CopyButton value={text} name={t(kind === 'json' ? 'codeJson' : 'codeListener')} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <pre className="json code" tabIndex={0} dir="ltr">
        {text}
      </pre>
    </Dialog>
  )
}
