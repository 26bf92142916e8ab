import { getServer, type TestAccount } from './api.ts'

export async function uploadFile(
  account: Pick<TestAccount, 'secretKey'>,
  spaceId: string,
  name: string,
  content: string | Uint8Array,
  fields: Record<string, string> = {},
): Promise<string> {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  form.append('spaceId', spaceId)
  form.append('file', new Blob([content as Uint8Array<ArrayBuffer>]), name)
  const response = await fetch(`${getServer().baseUrl}/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.secretKey}` },
    body: form,
  })
  return ((await response.json()) as { data: { id: string } }).data.id
}
