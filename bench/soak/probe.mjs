/** On a message, collects garbage and reports the remaining memory of the process under test. Needs `--expose-gc`. */
process.on('message', (message) => {
  if (message !== 'memory') return
  globalThis.gc()
  const { heapUsed, external, rss } = process.memoryUsage()
  process.send({ heapUsed, external, rss })
})
process.channel?.unref()
