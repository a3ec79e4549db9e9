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

/** The Node versions that vitest 5 supports. */
const newestVitest = '^22.12.0 || ^24.0.0 || >=26.0.0';

test.skipIf(!isThorough).each(['20.19.0', '22.11.0', '22.12.0', '24', '26'])(
  'Node %s',
  { timeout: 900_000 },
  async (label) => {
    const node = (await nodeBinary(label)) ?? expect.fail('these tests need linux on x64');
    const version = (
      await runProgram(node, ['-p', 'process.versions.node'], { capture: true })
    ).output.trim();
    const { commands, project, run } = await managerMachine('npm', `node ${label}`, { node });
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
    // The matchers of opsdk/testing/vitest fit this vitest, their types too.
    const unitTest = readFileSync(join(project, 'test/controllers/cache/memcached.test.ts'), 'utf8');
    expect(unitTest).toMatch(/from 'opsdk\/testing\/vitest'/);
    expect(unitTest).toMatch(/\.toHaveCondition\(/);
    const all = ['lint', 'typecheck', 'test', 'test:integration', 'build'];
    for (const script of all) await run(commands.script, script);
    if (!semver.satisfies(version, newestVitest)) return;
    await run(commands.addDev, 'vitest@latest');
    const vitest = JSON.parse(readFileSync(join(project, 'node_modules/vitest/package.json'), 'utf8')) as {
      version: string;
    };
    expect(semver.major(vitest.version)).toBeGreaterThanOrEqual(5);
    for (const script of ['typecheck', 'test', 'test:integration']) await run(commands.script, script);
  },
);
