import type { ReactNode } from 'react'

export const metadata = { title: 'Orders' }

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body style={{ font: '16px system-ui', margin: '2rem auto', maxWidth: '50rem', padding: '0 1rem' }}>
        {children}
      </body>
    </html>
  )
}
