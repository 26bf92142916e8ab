/** The page on which a user lets an AI agent connect (OAuth). */
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { api, unwrap } from './api/client.ts'
import type { components } from './api/schema.generated.ts'
import { useSession } from './api/session.ts'
import { setReturnPage } from './return-page.ts'
import { Brand, SignIn } from './sign-in.tsx'
import { useTranslation } from './texts/texts.tsx'
import { Button, SelectField } from './ui/controls.tsx'
import { ErrorNotice, QueryView } from './ui/states.tsx'

type Access = NonNullable<components['schemas']['PersonalAccessToken']['connection']>['access']

/** A page that frames this one could lead the user to click without seeing it. */
const isFramed = window.top !== window.self

export default function Connect() {
  const session = useSession()
  const isSignedIn = session?.kind === 'user'
  useEffect(() => {
    if (!isSignedIn && !isFramed) setReturnPage(`${location.pathname}${location.search}`)
  }, [isSignedIn])
  if (isFramed) return null
  return isSignedIn ? <Consent /> : <SignIn />
}

function readRequest() {
  const query = new URLSearchParams(location.search)
  const read = (name: string) => query.get(name) ?? ''
  const readOptional = (name: string) => query.get(name) ?? undefined
  return {
    request: {
      client_id: read('client_id'),
      redirect_uri: read('redirect_uri'),
      response_type: read('response_type') as 'code',
      code_challenge: read('code_challenge'),
      code_challenge_method: read('code_challenge_method') as 'S256',
      resource: readOptional('resource'),
      scope: readOptional('scope'),
    },
    state: readOptional('state'),
  }
}

function Consent() {
  const { t } = useTranslation()
  const [{ request, state }] = useState(readRequest)
  const described = useQuery({
    queryKey: ['connect', request],
    queryFn: () => unwrap(api.GET('/api/v1/oauth/authorize', { params: { query: request } })),
  })
  const environments = useQuery({
    queryKey: ['environments', 'connect'],
    queryFn: () => unwrap(api.GET('/api/v1/environments', { params: { query: { pageSize: 1000 } } })),
  })
  return (
    <main className="center">
      <div className="card narrow">
        <Brand />
        <QueryView query={described}>
          {({ data: client }) => (
            <>
              <h1>{t('connectTitle', { name: client.clientName })}</h1>
              <p>{t('connectText', { host: client.redirectHost })}</p>
              <QueryView query={environments}>
                {({ data }) => (
                  <ConsentForm request={request} state={state} environments={data} access={client.access} />
                )}
              </QueryView>
            </>
          )}
        </QueryView>
      </div>
    </main>
  )
}

interface ConsentFormProps {
  request: ReturnType<typeof readRequest>['request']
  state: string | undefined
  environments: readonly { id: string; name: string }[]
  access: Access
}

function ConsentForm({ request, state, environments, access: requestedAccess }: ConsentFormProps) {
  const { t } = useTranslation()
  const [environmentId, setEnvironmentId] = useState(environments[0]?.id ?? '')
  const [access, setAccess] = useState(requestedAccess)
  const approve = useMutation({
    mutationFn: () =>
      unwrap(api.POST('/api/v1/oauth/authorize', { body: { ...request, state, environmentId, access } })),
    onSuccess: ({ data }) => location.assign(data.redirectTo),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    approve.mutate()
  }
  return (
    <form onSubmit={submit}>
      {approve.error && <ErrorNotice error={approve.error} />}
      <SelectField
        label={t('environment')}
        value={environmentId}
        onChange={(event) => setEnvironmentId(event.target.value)}
        options={environments.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <SelectField
        label={t('access')}
        value={access}
        onChange={(event) => setAccess(event.target.value as Access)}
        options={[
          { value: 'read', label: t('connectRead') },
          { value: 'propose', label: t('connectPropose') },
          { value: 'write', label: t('connectWrite') },
        ]}
      />
      <p className="hint">{t('connectHint')}</p>
      <Button type="submit" kind="primary" busy={approve.isPending || approve.isSuccess} disabled={!environmentId}>
        {t('connectAllow')}
      </Button>
      <Button onClick={() => location.assign(buildDenial(request.redirect_uri, state))}>{t('cancel')}</Button>
    </form>
  )
}

/** Only called for an address that the API checked. */
function buildDenial(redirectUri: string, state: string | undefined): string {
  const url = new URL(redirectUri)
  url.searchParams.set('error', 'access_denied')
  if (state !== undefined) url.searchParams.set('state', state)
  return url.href
}
