import { createTestAccount, getServer } from '../../../test/support/api.ts'
import { Wharf, type WharfOptions } from '../src/index.ts'

export async function createClient(options: Partial<WharfOptions> = {}): Promise<Wharf> {
  const { secretKey } = await createTestAccount()
  return new Wharf({ token: secretKey, baseUrl: getServer().baseUrl, ...options })
}

type Field = NonNullable<NonNullable<Parameters<Wharf['workbooks']['create']>[0]['sheets']>[number]['fields']>[number]

export async function createSheet(wharf: Wharf, fields: Field[]): Promise<{ spaceId: string; sheetId: string }> {
  const { id: spaceId } = await wharf.spaces.create({ name: 'Import' })
  const sheets = [{ name: 'People', slug: 'people', fields }]
  const workbook = await wharf.workbooks.create({ spaceId, name: 'Contacts', sheets })
  return { spaceId, sheetId: workbook.sheets![0]!.id }
}
