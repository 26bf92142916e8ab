/** In the process under test: asked by a message, it collects its garbage and tells what is left. Needs `--expose-gc`. */
process.on('message', (message) => {
  if (message !== 'memory') return
  globalThis.gc()
  const { heapUsed, external, rss } = process.memoryUsage()
  process.send({ heapUsed, external, rss })
})
process.channel?.unref()
