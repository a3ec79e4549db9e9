// Replays with a package whose command line is a few lines: it writes what the test wants.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  commandRecord,
  detectPackageManager,
  type GivenFlags,
} from '../../../../src/project/project/index.ts';
import { unknownOverrides } from '../../../../src/project/upgrade/overrides.ts';
import { firstError, replay, type Replay } from '../../../../src/project/upgrade/replay.ts';

let scratch = '';
beforeEach(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'op-sdk-replay-')));
  mkdirSync(join(scratch, 'project'));
});
afterEach(() => rmSync(scratch, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(scratch, path)), { recursive: true });
  writeFileSync(join(scratch, path), text);
}

/** Repeats `init`, and perhaps `create api`, by a package that runs a script: `command` is the first argument. */
function replayed(script: string, api?: GivenFlags, manager?: string): Promise<Replay> {
  write('package/package.json', '{ "type": "module" }');
  write(
    'package/bin/op-sdk.js',
    `import { existsSync, readdirSync, writeFileSync } from 'node:fs';\nconst [command] = process.argv.slice(2);\n${script}`,
  );
  return replay(
    { root: join(scratch, 'package'), version: '1.1.0' },
    {
      runs: [
        commandRecord('init', {}, manager),
        ...(api === undefined ? [] : [commandRecord('create api', api)]),
      ],
      ...{ project: join(scratch, 'project'), folder: join(scratch, 'copy'), spec: '^1.1.0' },
      ...{ env: process.env, signal: new AbortController().signal },
    },
  );
}

const makesProject = "if (command === 'init') writeFileSync('PROJECT', 'version: \"3\"\\n');\n";

describe('a run that cannot be repeated', () => {
  test('is an error with the reason if it is `init`', async () => {
    await expect(replayed("throw new TypeError('no such thing');")).rejects.toMatchObject({
      findings: [
        {
          code: 'upgrade/cannot-repeat-init',
          message: expect.stringMatching(/again: TypeError: no such thing$/) as string,
        },
      ],
    });
  });

  test('is an error if `init` makes no PROJECT', async () => {
    await expect(replayed('')).rejects.toMatchObject({
      findings: [
        {
          code: 'upgrade/cannot-repeat-init',
          message: expect.stringMatching(/again: it made no PROJECT$/) as string,
        },
      ],
    });
  });

  test.each([
    ['a folder', () => mkdirSync(join(scratch, 'project/crds')), /^crds is neither a file of the project/],
    ['a pipe', () => execFileSync('mkfifo', [join(scratch, 'project/crds')]), /^crds is not a regular file$/],
  ])('is left out if its definition is %s', async (_words, make, reason) => {
    make();
    const { failed } = await replayed(makesProject, { 'external-api-path': 'crds' });
    expect([...failed]).toEqual([[1, expect.stringMatching(reason)]]);
  });
});

test.each(['npm', 'pnpm', 'yarn', 'yarn/4', 'bun'])(
  '%s scaffolds the copy as it did the project',
  async (manager) => {
    const { files } = await replayed(
      `${makesProject}writeFileSync('agent.txt', process.env.npm_config_user_agent);`,
      undefined,
      manager,
    );
    expect(detectPackageManager({ npm_config_user_agent: files.get('agent.txt') }).id).toBe(manager);
  },
);

test('a header that somebody wrote begins the files of later runs, and one of op-sdk does not', async () => {
  const script = `${makesProject}else if (command === 'create') writeFileSync('made.txt', existsSync('hack/boilerplate.txt') ? 'mine' : '');`;
  write('project/hack/boilerplate.txt', 'Mine.\n');
  const { files } = await replayed(script, {});
  expect([files.get('made.txt'), files.get('hack/boilerplate.txt')]).toEqual(['mine', 'Mine.\n']);
  rmSync(join(scratch, 'copy'), { recursive: true });
  write('project/hack/boilerplate.txt', '');
  expect((await replayed(script, {})).files.get('made.txt')).toBe('');
});

test('overrides of templates that a version does not know are left out of its copy, and reported', async () => {
  write('package/templates/init/Makefile.hbs', '');
  write('package/templates/init/GUIDE.md.hbs', '');
  write('package/templates/api-renames.json', '[]');
  write('old/templates/init/Makefile.hbs', '');
  write('old/templates/init/AGENTS.md.hbs', '');
  for (const name of ['Makefile.hbs', 'AGENTS.md.hbs'])
    write(`project/.op-sdk/templates/init/${name}`, 'mine');
  const lists = "else if (command === 'create') console.log(readdirSync('.op-sdk/templates/init').join());\n";
  const { failed } = await replayed(
    `${makesProject}${lists}process.exitCode = Number(command === 'create');`,
    {},
  );
  expect([...failed]).toEqual([[1, 'Makefile.hbs']]);
  const [base, target] = ['old', 'package'].map((name) => ({ root: join(scratch, name), version: '1.1.0' }));
  if (base === undefined || target === undefined) throw new Error('unreachable');
  const found = await unknownOverrides(join(scratch, 'project'), { base, target });
  expect(found.map(({ where, fix }) => [where, fix?.[0]])).toEqual([
    [
      { file: '.op-sdk/templates/init/AGENTS.md.hbs' },
      'override a new template in its place: init/GUIDE.md.hbs',
    ],
  ]);
});

test('a pipe among the overrides of templates is left out', async () => {
  write('package/templates/init/Makefile.hbs', '');
  write('package/templates/init/Dockerfile.hbs', '');
  write('project/.op-sdk/templates/init/Makefile.hbs', 'mine');
  execFileSync('mkfifo', [join(scratch, 'project/.op-sdk/templates/init/Dockerfile.hbs')]);
  const lists = "else if (command === 'create') console.log(readdirSync('.op-sdk/templates/init').join());\n";
  const { failed } = await replayed(
    `${makesProject}${lists}process.exitCode = Number(command === 'create');`,
    {},
  );
  expect([...failed]).toEqual([[1, 'Makefile.hbs']]);
});

test.each([
  ['error[project/invalid]: a is b\n  at PROJECT:1\n', 'a is b'],
  ['warning: x\nerror: unknown option --y\n', 'unknown option --y'],
  [
    "file:///a.js:1\nimport {} from 'b';\n^\n\nSyntaxError: no export b\n    at x (y:1:2)\n\nNode.js v24.0.0\n",
    'SyntaxError: no export b',
  ],
  [
    'node:internal/x:1\n\nError [ERR_MODULE_NOT_FOUND]: no c\n    at z {\n  code: 1\n}\n',
    'Error [ERR_MODULE_NOT_FOUND]: no c',
  ],
  ['Segmentation fault\n', 'Segmentation fault'],
  ['', 'it printed nothing'],
])('the reason in %j is %j', (output, reason) => {
  expect(firstError(output)).toBe(reason);
});
