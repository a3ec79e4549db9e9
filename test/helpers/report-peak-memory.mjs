// Loaded into a process under test (`node --import`): when it ends, it writes its peak memory in kilobytes into a file.
import { readFileSync, writeFileSync } from 'node:fs';

process.on('exit', () => {
  const [, kilobytes = ''] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  writeFileSync(process.env.PEAK_MEMORY_FILE, kilobytes);
});
