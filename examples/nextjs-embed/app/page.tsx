import { listOrders } from '../server/orders'
import { ImportOrders } from './import-orders'

export const dynamic = 'force-dynamic'

export default async function Page() {
  const orders = await listOrders()
  return (
    <main>
      <h1>Orders</h1>
      <ImportOrders url={new URL(process.env.URL!).origin} />
      <p>{orders.length} orders</p>
      <ul>
        {orders.map(({ number, customer, date, amount }) => (
          <li key={number}>
            {number}: {customer}, {date ?? 'no date'}, {amount}
          </li>
        ))}
      </ul>
    </main>
  )
}
