/** The application's own storage, here a file. Numbers are unique, so that saving the same orders again changes nothing. */
import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'

export interface Order {
  number: string
  customer: string
  date: string | null
  amount: number
}

const FILE = 'orders.json'

export const listOrders = async (): Promise<Order[]> =>
  existsSync(FILE) ? JSON.parse(await readFile(FILE, 'utf8')) : []

export async function saveOrders(orders: readonly Order[]): Promise<void> {
  const byNumber = new Map([...(await listOrders()), ...orders].map((order) => [order.number, order]))
  await writeFile(`${FILE}.new`, JSON.stringify([...byNumber.values()], null, 2))
  await rename(`${FILE}.new`, FILE)
}
