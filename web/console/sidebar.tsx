import { Search } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { useSession } from '../shared/api/session.ts'
import { Brand } from '../shared/sign-in.tsx'
import { useTranslation } from '../shared/texts/texts.tsx'
import { Combobox } from '../shared/ui/combobox.tsx'
import { Menu } from '../shared/ui/menu.tsx'
import { Preferences } from '../shared/ui/preferences.tsx'
import { type Environment, usePath } from './data.ts'
import { GROUPS, PAGES, PROFILE_PAGES } from './navigation.ts'

interface Props {
  environments: readonly Environment[]
  environment: Environment
  page: string
  onSearch(): void
}

export function Sidebar({ environments, environment, page, onSearch }: Props) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const target = Object.hasOwn(PAGES, page) ? page : 'home'
  return (
    <>
      <Brand />
      <Combobox
        hideLabel
        label={t('environment')}
        value={environment.id}
        options={environments.map(({ id, name, isProd }) => ({
          value: id,
          label: name,
          description: t(isProd ? 'production' : 'development'),
        }))}
        onChange={(id) => navigate(`/console/${id}/${target}`)}
      />
      <button type="button" className="palette-button" onClick={onSearch}>
        <Search aria-hidden="true" />
        <span className="grow">{t('search')}</span>
        <span className="shortcut" aria-hidden="true">
          Ctrl K
        </span>
      </button>
      <nav aria-label={t('navigation')}>
        {GROUPS.map(({ title, pages }) => (
          <NavigationGroup key={title} title={t(title)} pages={pages} current={page} />
        ))}
      </nav>
      <footer>
        <Profile />
        <Preferences />
      </footer>
    </>
  )
}

const scrollTo = (link: HTMLAnchorElement | null) => link?.scrollIntoView({ block: 'nearest' })

function NavigationGroup({ title, pages, current }: { title: string; pages: readonly string[]; current: string }) {
  const { t } = useTranslation()
  const path = usePath()
  return (
    <>
      <p className="group">{title}</p>
      {pages.map((name) => {
        const { title: pageTitle, Icon } = PAGES[name]!
        return (
          <Link
            key={name}
            ref={name === current ? scrollTo : undefined}
            href={path(name)}
            className="item"
            aria-current={name === current ? 'page' : undefined}
          >
            <Icon aria-hidden="true" />
            <span className="clip grow">{t(pageTitle)}</span>
          </Link>
        )
      })}
    </>
  )
}

function Profile() {
  const { t } = useTranslation()
  const path = usePath()
  const [, navigate] = useLocation()
  const email = useSession()?.email
  return (
    <Menu
      label={email ? `${t('profile')}: ${email}` : t('profile')}
      entries={[
        ...PROFILE_PAGES.map((name) => ({
          id: name,
          label: t(PAGES[name]!.title),
          run: () => navigate(path(name)),
        })),
        { id: 'reference', label: t('reference'), run: () => void window.open('/docs', '_blank', 'noopener') },
      ]}
    >
      <span className="clip">{email ?? t('profile')}</span>
    </Menu>
  )
}
