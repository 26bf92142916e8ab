/** A typical listener deployed with the public CLI: a published plugin with a custom hook. */
import { recordHook } from '@flatfile/plugin-record-hook'

export default function (listener) {
  listener.use(
    recordHook('people', (record) => {
      const email = String(record.get('email') ?? '')
      record.set('email', email.trim().toLowerCase())
      if (!email.includes('@')) record.addWarning('email', 'has no @')
      return record
    }),
  )
}
