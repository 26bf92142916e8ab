import { useQuery } from '@tanstack/react-query'
import { getSignedInId } from '../../shared/api/session.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { guestsQuery, type Space } from '../queries.ts'

/** Names of guests, as far as the user may see them. */
export function usePersonName(space: Space): (id: string) => string | undefined {
  const { t } = useTranslation()
  const guests = useQuery(guestsQuery(space.id))
  return (id) => {
    if (id === getSignedInId()) return t('byYou')
    const guest = guests.data?.find((one) => one.id === id)
    return guest && (guest.name || guest.email)
  }
}
