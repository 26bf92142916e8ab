/** Begins the viewer in the page; a file of its own, because the page allows no script inside it. */
window.SwaggerUIBundle({
  url: 'api/v1/openapi.json',
  dom_id: '#viewer',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  // Asks a server of the viewer's makers otherwise.
  validatorUrl: null,
})
