'use server'

import { ORDERS } from '../server/blueprint'
import { wharf } from '../server/wharf'

/** In your application: check who is signed in, and use their address and name for the guest. */
const CUSTOMER = { email: 'ada@example.com', name: 'Ada' }

/** Creates a space for one import, and a token that opens only this space. */
export async function startImport(): Promise<{ id: string; accessToken: string }> {
  const { id, environmentId } = await wharf.spaces.create({ name: 'Orders' })
  await wharf.workbooks.create({ ...ORDERS, spaceId: id })
  const [guest] = await wharf.guests.create([{ ...CUSTOMER, environmentId, spaces: [{ id }] }])
  const { token } = await wharf.guests.token(guest!.id, { spaceId: id })
  return { id, accessToken: token }
}
