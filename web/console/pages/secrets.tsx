/** Secrets of an environment: what agents read. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ask } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Shown } from '../../shared/ui/states.tsx'
import type { Given } from '../data.ts'
import { FormDialog, Head, Hidden, Remove, Table, useDoing } from '../parts.tsx'

export default function Secrets({ environment }: Given) {
  const { t } = useTexts()
  const [adding, setAdding] = useState(false)
  const secrets = useQuery({
    queryKey: ['secrets', environment.id],
    queryFn: async () =>
      (await ask(api.GET('/api/v1/secrets', { params: { query: { environmentId: environment.id } } }))).data,
  })
  const renew = useDoing(async () => undefined, ['secrets'])
  return (
    <>
      <Head title={t('secrets')} text={t('secretsText')}>
        <Button kind="primary" onClick={() => setAdding(true)}>
          {t('newSecretValue')}
        </Button>
      </Head>
      <Shown of={secrets}>
        {(all) => (
          <Table
            name={t('secrets')}
            rows={all}
            empty={t('noSecrets')}
            columns={[
              { title: t('name'), cell: ({ name }) => <code>{name}</code> },
              { title: t('value'), wide: true, cell: ({ name, value }) => <Hidden value={value} name={name} /> },
              {
                title: t('actions'),
                cell: (each) => (
                  <Remove
                    name={each.name}
                    text={t('deleteForGood', { name: each.name })}
                    work={() =>
                      ask(api.DELETE('/api/v1/secrets/{secretId}', { params: { path: { secretId: each.id } } }))
                    }
                    touched={['secrets']}
                  />
                ),
              },
            ]}
          />
        )}
      </Shown>
      {adding && (
        <FormDialog
          title={t('newSecretValue')}
          action={t('keep')}
          fields={[
            { name: 'name', label: t('name') },
            { name: 'value', label: t('value'), type: 'area' },
          ]}
          submit={({ name = '', value = '' }) =>
            ask(api.POST('/api/v1/secrets', { body: { name, value, environmentId: environment.id } }))
          }
          onDone={() => {
            setAdding(false)
            renew.mutate()
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}
