// The examples with real software as their READMEs start them: a copy of the folder with the packed package, and `op-sdk dev --samples`.
// What happens then is the story that `npm run example` tells, and docs/examples.md shows. It packs dist/: build it first.
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareStory } from '../../scripts/examples/prepare-story.mjs';
import { stories } from '../../scripts/examples/stories.mjs';
import { tellStory } from '../../scripts/examples/storyteller.mjs';
import { packPackage } from '../../scripts/lib/nginx-project.mjs';
import { must } from '../../scripts/lib/run.mjs';
import { ensureEtcd, ensureRedis, orUnavailable } from '../../scripts/lib/test-programs.mjs';
import { captureDifference, readCaptures } from '../helpers/captures.ts';
import { processesWith } from '../helpers/processes.ts';
import { repositoryRoot } from '../helpers/source-files.ts';

let folder: string;
let tarball: string;

beforeAll(async () => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'op-sdk-examples-'));
  tarball = await packPackage(join(folder, 'package'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Copies an example out of the repository, and lets it depend on the packed package, as examples/README.md says. */
async function copyExample(example: string): Promise<string> {
  const project = join(folder, example);
  const from = join(repositoryRoot, 'examples', example);
  cpSync(from, project, {
    recursive: true,
    filter: (path) => !['node_modules', 'dist'].includes(basename(path)),
  });
  const inside = { cwd: project, quiet: true };
  await must('npm', ['pkg', 'set', `dependencies.opsdk=file:${tarball}`], inside);
  await must('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], inside);
  return project;
}

describe.each([
  ['etcd-operator', await orUnavailable(ensureEtcd('3.6.8'))],
  ['redis-operator', await orUnavailable(ensureRedis())],
] as const)('examples/%s', (name, programs) => {
  const reason = programs instanceof Error ? ` (${programs.message})` : '';
  test.skipIf(process.platform !== 'linux' || reason !== '')(
    `tells its story, and leaves no process behind${reason}`,
    { timeout: 1_200_000 },
    async () => {
      const project = await copyExample(name);
      const story = stories[name];
      let output = '';
      const processes = await tellStory(story, {
        project,
        programs: await prepareStory(story, project),
        write: (text) => void (output += text),
      });
      expect(processes.length).toBeGreaterThanOrEqual(5);
      for (const each of processes) expect(await processesWith(each)).toEqual([]);
      expect(captureDifference(readCaptures().get(name) ?? '', output), output).toBeUndefined();
    },
  );
});
