// The minutes of each rung, from the file that `.ci/run` had them written to: printed, and with --write put into CONTRIBUTING.md.
//   node scripts/rung-minutes.mjs FILE [--write]
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { root } from './lib/run.mjs';

const [file, ...flags] = process.argv.slice(2);
const rungs = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const rows = rungs.map(
  ({ script, title, seconds }) => `| ${script} | ${title} | ${(seconds / 60).toFixed(1)} |`,
);
const table = await format(['| command | rung | minutes |', '| - | - | -: |', ...rows].join('\n'), {
  parser: 'markdown',
});
console.log(table);
if (flags.includes('--write')) {
  const path = join(root, 'CONTRIBUTING.md');
  const text = readFileSync(path, 'utf8');
  const place = /(<!-- minutes -->\n)[\s\S]*?(<!-- \/minutes -->)/;
  if (!place.test(text)) throw new Error('CONTRIBUTING.md has no place for the minutes');
  writeFileSync(
    path,
    text.replace(place, (_, begin, end) => `${begin}\n${table}\n${end}`),
  );
}
