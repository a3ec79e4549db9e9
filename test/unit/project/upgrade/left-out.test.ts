// Upgrades by packages whose command lines are a few lines: the new one refuses a command of the project.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  commandRecord,
  loadProject,
  newProjectFile,
  recordCommand,
  recordedCommands,
} from '../../../../src/project/project/index.ts';
import { planProjectUpgrade } from '../../../../src/project/upgrade/index.ts';
import type { OpsdkPackage } from '../../../../src/project/upgrade/packages.ts';

let scratch = '';
beforeEach(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'op-sdk-left-out-')));
});
afterEach(() => rmSync(scratch, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(scratch, path)), { recursive: true });
  writeFileSync(join(scratch, path), text);
}

const init = commandRecord('init', { domain: 'example.com' }, 'npm');
const api = commandRecord('create api', { group: 'web', version: 'v1', kind: 'Site' });

/** A version whose `create api` makes a file of the version, or fails. */
function packageOf(version: string, fails = false): OpsdkPackage {
  const root = `op-sdk-${version}`;
  write(`${root}/package.json`, JSON.stringify({ type: 'module', version }));
  write(
    `${root}/bin/op-sdk.js`,
    `import { writeFileSync } from 'node:fs';
const [command] = process.argv.slice(2);
if (command === 'init') for (const name of ['PROJECT', 'Makefile']) writeFileSync(name, name === 'PROJECT' ? 'version: "3"\\n' : ${JSON.stringify(version)});
if (command === 'create' && ${fails}) { console.error('error[a/b]: refused'); process.exitCode = 1; }
else if (command === 'create') writeFileSync('site.ts', ${JSON.stringify(version)});
`,
  );
  return { root: join(scratch, root), version };
}

async function upgraded(base: OpsdkPackage, target: OpsdkPackage) {
  const folder = mkdtempSync(join(scratch, 'copies-'));
  const plan = await planProjectUpgrade({
    ...{ project: await loadProject(join(scratch, 'project')), base, isExact: true, folder },
    target: { ...target, spec: `^${target.version}` },
    ...{ env: process.env, signal: new AbortController().signal },
  });
  for (const change of plan.changes)
    if ('content' in change) write(`project/${change.path}`, String(change.content));
  return {
    updated: plan.changes.filter(({ action }) => action !== 'unchanged').map(({ path }) => path),
    warnings: plan.warnings.map(({ message }) => message),
    project: (await loadProject(join(scratch, 'project'))).text,
  };
}

test('what a version cannot repeat stays as it is, with later versions too', async () => {
  const [first, second, third] = [packageOf('1.0.0'), packageOf('1.1.0', true), packageOf('1.2.0')];
  const file = newProjectFile({
    ...{ domain: 'example.com', projectName: 'web', cliVersion: '1.0.0', run: init, templates: {} },
  });
  write('project/PROJECT', recordCommand(file, api));
  write('project/Makefile', '1.0.0');
  write('project/site.ts', '1.0.0');

  const one = await upgraded(first, second);
  expect(one.updated).toEqual(['Makefile', 'PROJECT']);
  const command = '`op-sdk create api --group=web --kind=Site --version=v1`';
  expect(one.warnings).toEqual([
    `${command} could not be repeated with op-sdk 1.1.0, so site.ts stays as it is: refused`,
  ]);
  expect(recordedCommands(one.project)?.[1]).toEqual({ ...api, cliVersion: '1.0.0' });

  // The file is neither merged with one of a version that it never had, nor deleted.
  const two = await upgraded(second, third);
  expect(two.updated).toEqual(['Makefile', 'PROJECT']);
  expect(two.warnings).toEqual([
    `${command} was left out of an earlier upgrade, so what it scaffolded stays as op-sdk 1.0.0 wrote it`,
  ]);

  write('project/PROJECT', recordCommand(two.project, api));
  write('project/site.ts', '1.2.0');
  const three = await upgraded(third, packageOf('1.3.0'));
  expect(three).toMatchObject({ updated: ['Makefile', 'PROJECT', 'site.ts'], warnings: [] });
});
