import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, saveBlob, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, SelectField } from '../../shared/ui/controls.tsx'
import { QueryView } from '../../shared/ui/states.tsx'
import { objectQuery } from '../data.ts'

/** More text makes the page slow. */
const MAX_SHOWN_CHARACTERS = 200_000

export function AgentCode({ agentId }: { agentId: string }) {
  const { t, number } = useTranslation()
  const [name, setName] = useState<string>()
  const code = useQuery(
    objectQuery(['agents', agentId, 'code'], () =>
      unwrap(api.GET('/api/v1/agents/{agentId}/code', { params: { path: { agentId } } })),
    ),
  )
  return (
    <QueryView query={code}>
      {({ files, version, isOriginal }) => {
        const file = files.find((each) => each.name === name) ?? files[0]!
        return (
          <>
            <p className="hint">
              {t(isOriginal ? 'codeOriginal' : 'codeBundle', { version: number(version) })}{' '}
              {file.text.length > MAX_SHOWN_CHARACTERS && t('codeCut', { count: MAX_SHOWN_CHARACTERS })}
            </p>
            <div className="filters">
              <SelectField
                hideLabel
                label={t('file')}
                value={file.name}
                options={files.map((each) => ({ value: each.name, label: each.name }))}
                onChange={({ target }) => setName(target.value)}
              />
              <Button
                onClick={() => saveBlob(new Blob([file.text], { type: 'text/plain' }), file.name.split('/').at(-1)!)}
              >
                {t('download')}
              </Button>
            </div>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
            <pre className="json" dir="ltr" tabIndex={0}>
              <code>{file.text.slice(0, MAX_SHOWN_CHARACTERS)}</code>
            </pre>
          </>
        )
      }}
    </QueryView>
  )
}
