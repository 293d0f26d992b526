// Loaded into the service with --import and --expose-gc: on SIGUSR2 it prints how much of its heap is in use.
process.on('SIGUSR2', async () => {
  // Objects finalised by one collection are freed by the next.
  for (let turn = 0; turn < 4; turn++) {
    globalThis.gc?.();
    await new Promise(setImmediate);
  }
  process.stderr.write(`heap in use: ${process.memoryUsage().heapUsed}\n`);
});
