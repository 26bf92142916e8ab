/** What somebody deploys with the public command line: a published plugin with a hook of their own. */
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
