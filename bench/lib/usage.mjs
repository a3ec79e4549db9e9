// Preloaded into a measured process (`node --import`): writes its own CPU time and peak memory to a file when it ends.
import { writeFileSync } from 'node:fs';

const file = process.env.OPSDK_BENCH_USAGE;
if (file !== undefined) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    writeFileSync(file, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, rss: maxRSS / 1024 }));
  });
}
