import { openImporter } from '/wharf-importer.js'

const list = document.getElementById('events')
const show = (name) => (detail) => {
  const line = document.createElement('li')
  line.textContent = `${name} ${JSON.stringify(detail)}`
  list.append(line)
}
document.getElementById('form').addEventListener('submit', async (event) => {
  event.preventDefault()
  const result = await openImporter(
    {
      publishableKey: document.getElementById('key').value,
      spaceName: 'Import into the demo',
      theme: { accent: '#5b3df5', 'accent-strong': '#4527d8' },
    },
    { submitted: show('submitted'), closed: show('closed'), error: show('error') },
  )
  show('result')(result)
})
