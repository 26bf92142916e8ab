import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { CopyButton } from '../../shared/ui/copy.tsx'
import type { PageProps } from '../data.ts'
import { PageHeader } from '../parts/page.tsx'

/** The commands use a variable for the key, so a screenshot of the page leaks nothing. */
const buildCommands = (
  url: string,
  environmentId: string,
): { id: 'stepSpace' | 'stepSheet' | 'stepRecords' | 'stepSdk'; text: string }[] => [
  {
    id: 'stepSpace',
    text: `curl -s ${url}/v1/spaces -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"name":"Spring import","environmentId":"${environmentId}"}'`,
  },
  {
    id: 'stepSheet',
    text: `curl -s ${url}/v1/workbooks -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"spaceId":"'$SPACE'","name":"Contacts","sheets":[{"name":"People","slug":"people","fields":[
    {"key":"email","type":"string","constraints":[{"type":"required"}]},{"key":"age","type":"number"}]}]}'`,
  },
  {
    id: 'stepRecords',
    text: `curl -s ${url}/v1/sheets/$SHEET/records -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '[{"email":"ada@example.com","age":36}]'`,
  },
  { id: 'stepSdk', text: `FLATFILE_API_URL=${url} FLATFILE_API_KEY=$KEY npx flatfile develop` },
]

export default function Start({ environment }: PageProps) {
  const { t } = useTranslation()
  const keys = useQuery({
    queryKey: ['publishable', environment.id],
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/auth/publishable-key', { params: { query: { environmentId: environment.id } } })))
        .data,
  })
  const url = `${location.origin}/api`
  const embed = `<script type="module" src="${location.origin}/wharf-importer.js"></script>
<wharf-importer publishable-key="${keys.data?.rawKey ?? 'pk_...'}"></wharf-importer>`
  return (
    <>
      <PageHeader title={t('firstSteps')} text={t('firstStepsText')}>
        <Link className="button primary" href={`/console/${environment.id}/builder`}>
          {t('newWorkbook')}
        </Link>
      </PageHeader>
      <ol className="steps">
        {buildCommands(url, environment.id).map(({ id, text }) => (
          <Step key={id} title={t(id)} text={text} />
        ))}
        <Step title={t('stepEmbed')} text={embed} />
      </ol>
    </>
  )
}

const Step = ({ title, text }: { title: string; text: string }) => (
  <li className="card">
    <div className="card-head">
      <h2>{title}</h2>
      <CopyButton value={text} name={title} />
    </div>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
    <pre className="json" tabIndex={0}>
      {text}
    </pre>
  </li>
)
