// Loaded into a process that is measured, by `--import`: writes its peak memory, in KiB, when it ends. `resourceUsage().maxRSS` would
// count the process that started it, too.
import { readFileSync, writeFileSync } from 'node:fs';

process.on('exit', () => {
  const status = readFileSync('/proc/self/status', 'utf8');
  writeFileSync(process.env.PEAK_FILE ?? '', /VmHWM:\s*(\d+)/.exec(status)?.[1] ?? '');
});
