// `npm run bench`: what the command line costs. Figures as they are, as ratios to a bare `node` in the same run.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuild, ensureDependencies } from '../scripts/lib/provision.mjs';
import { root } from '../scripts/lib/run.mjs';
import { writeKinds } from './lib/kinds.mjs';
import { machine, measureInTurn } from './lib/measure.mjs';

await ensureDependencies();
await ensureBuild();

const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-bench-'));
try {
  const opSdk = join(root, 'bin', 'op-sdk.js');
  const empty = join(scratch, 'empty.mjs');
  writeFileSync(empty, '');
  const generate = (count) => {
    const folder = join(scratch, `kinds-${count}`);
    writeKinds(join(folder, 'api'), count);
    return {
      name: `generate manifests, ${count} kind${count === 1 ? '' : 's'}`,
      args: [opSdk, 'generate', 'manifests', '--only', 'crd', '--apis-dir', 'api', '--output-dir', 'out'],
      cwd: folder,
    };
  };
  const project = join(scratch, 'project');
  mkdirSync(project);
  writeFileSync(
    join(project, 'PROJECT'),
    `resources:\n${['v1', 'v2'].map((version) => `- group: cache\n  kind: Redis\n  version: ${version}\n`).join('')}`,
  );
  const complete = (...words) => ({
    name: `TAB: op-sdk ${words.join(' ')}`,
    args: [opSdk, 'complete', '--', ...words],
    cwd: project,
  });
  const before = machine();
  const figures = measureInTurn(
    [
      { name: 'node (an empty file)', args: [empty], cwd: scratch },
      { name: 'op-sdk version', args: [opSdk, 'version'], cwd: scratch },
      { name: 'op-sdk --help', args: [opSdk, '--help'], cwd: scratch },
      complete('cre'),
      complete('delete', 'api', '--kind', ''),
      generate(1),
      generate(20),
    ],
    Number(process.env.ROUNDS ?? 9),
  );
  const bare = figures.get('node (an empty file)');
  console.log(`before: ${before}\nafter:  ${machine()}\n`);
  console.log(
    `${'medians'.padEnd(32)} ${'CPU s'.padStart(8)} ${'× node'.padStart(8)} ${'RSS MiB'.padStart(9)}`,
  );
  for (const [name, { cpu, rss }] of figures) {
    console.log(
      `${name.padEnd(32)} ${cpu.toFixed(3).padStart(8)} ${(cpu / bare.cpu).toFixed(2).padStart(8)} ${rss.toFixed(0).padStart(9)}`,
    );
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
