import { openImporter } from '/wharf-importer.js'

const told = document.getElementById('told')
const tell = (name) => (detail) => {
  const line = document.createElement('li')
  line.textContent = `${name} ${JSON.stringify(detail)}`
  told.append(line)
}
document.getElementById('form').addEventListener('submit', (event) => {
  event.preventDefault()
  openImporter(
    {
      publishableKey: document.getElementById('key').value,
      spaceName: 'Import into the demo',
      theme: { accent: '#5b3df5', 'accent-strong': '#4527d8' },
    },
    { submitted: tell('submitted'), closed: tell('closed'), error: tell('error') },
  )
})
