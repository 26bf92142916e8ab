/** Starts the viewer. A separate file, because the page does not allow inline scripts. */
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
