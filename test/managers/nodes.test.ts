// A new project on each Node that op-sdk supports, also on those that not every tool supports: its tools fit, and the newest vitest installs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import semver from 'semver';
import { expect, test } from 'vitest';
import { nodeBinary } from '../../scripts/lib/nodes.mjs';
import { run as runProgram } from '../../scripts/lib/run.mjs';
import { nodeChoice } from '../../src/project/scaffold/index.ts';
import { managerMachine } from '../helpers/package-manager.ts';
import { isThorough } from '../helpers/thorough.ts';

test.skipIf(!isThorough).each(['20.19.0', '22.11.0', '22.12.0', '24', '26'])(
  'Node %s',
  { timeout: 900_000 },
  async (label) => {
    const node = (await nodeBinary(label)) ?? expect.fail('these tests need linux on x64');
    const version = (
      await runProgram(node, ['-p', 'process.versions.node'], { capture: true })
    ).output.trim();
    const { commands, project, run } = await managerMachine('npm', `node ${label}`, node);
    // npm warns of packages that do not support this Node.
    const talk = await run(
      ['npm', 'exec', '--yes', '--loglevel=warn', 'opsdk', '--'],
      'init',
      '--domain',
      'example.com',
    );
    expect(talk).not.toMatch(/EBADENGINE/);
    const { devDependencies, engines } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
      devDependencies: Record<string, string>;
      engines: { node: string };
    };
    const choice = nodeChoice(version);
    expect(devDependencies).toEqual(choice.tools);
    expect(engines.node).toBe(choice.engine);
    await run(
      [...commands.exec, 'op-sdk'],
      'create',
      'api',
      '--group',
      'cache',
      '--version',
      'v1',
      '--kind',
      'Memcached',
    );
    const all = ['lint', 'typecheck', 'test', 'test:integration', 'build'];
    for (const script of all) await run(commands.script, script);
    if (!semver.satisfies(version, '^22.12.0 || ^24.0.0 || >=26.0.0')) return;
    await run(commands.addDev, 'vitest@latest');
    for (const script of ['test', 'test:integration']) await run(commands.script, script);
  },
);
