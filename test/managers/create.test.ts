// `create-opsdk` by each package manager, without a terminal: flags in, a project with its first kind out; and what it refuses.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { checkInstalledSize } from '../helpers/installed-packages.ts';
import { managerMachine, removeCopiesOfCreate, type ManagerName } from '../helpers/package-manager.ts';
import { isThorough } from '../helpers/thorough.ts';

const names: readonly ManagerName[] = isThorough
  ? ['npm', 'pnpm', 'yarn with Plug’n’Play', 'yarn 1', 'bun']
  : ['npm', 'pnpm'];

/** The size of what npm installs for a newcomer. */
const recordedSize = {
  file: 'test/managers/scaffold-size.json',
  update: 'UPDATE_GOLDEN=1 npx vitest run --project managers test/managers/create.test.ts',
};

beforeAll(removeCopiesOfCreate);

test.concurrent.each(names)('%s create opsdk', { timeout: 600_000 }, async (name) => {
  const { commands, project: home, run } = await managerMachine(name, 'create');
  const talk = await run(
    commands.create('opsdk'),
    ...['my-operator', '--domain', 'example.com', '--kind', 'Memcached', '--group', 'cache'],
  );
  const project = join(home, 'my-operator');
  const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    dependencies: { opsdk: string };
  };
  expect(dependencies.opsdk).toMatch(/^\^\d+\.\d+\.\d+$/);
  expect(existsSync(join(project, 'src/controllers/cache/memcached.ts'))).toBe(true);
  expect(existsSync(join(project, 'test/controllers/cache/memcached.test.ts'))).toBe(true);
  expect(talk).toContain('Your operator is ready. Start it:\n\n  cd my-operator\n');
  expect(talk).toContain(`  ${[...commands.exec, 'op-sdk', 'dev', '--samples'].join(' ')}\n`);
  if (name === 'npm') expect(checkInstalledSize(project, recordedSize)).toEqual([]);
  for (const script of ['typecheck', 'test'])
    await run(['sh', '-c'], `cd my-operator && ${[...commands.script, script].join(' ')}`);
});

test(
  'what is missing or wrong is an error, all at once, and nothing is created',
  { timeout: 120_000 },
  async () => {
    const { project: home, attempt } = await managerMachine('npm', 'refused');
    const create = (...args: readonly string[]) =>
      attempt(['npm', 'exec', '--yes', 'create-opsdk', '--'], ...args);
    const missing = await create('--package-manager', 'pip');
    expect(missing.code).toBe(2);
    expect(missing.output.match(/^error\[create\/usage\]: .*/gm)).toEqual([
      expect.stringContaining('--package-manager must be one of npm, pnpm, yarn, bun; got "pip"'),
      expect.stringContaining('the folder of the project is missing'),
      expect.stringContaining('--domain is missing'),
      expect.stringContaining('--kind is missing'),
    ]);
    expect((await create('a', '--domain', 'example.com', '--kind', 'A', '--no-kind')).code).toBe(2);
    expect((await create('--unknown')).code).toBe(2);
    const domain = await create('a', '--domain', 'Example Domain', '--no-kind');
    expect(domain.code).toBe(2);
    expect(domain.output).toContain('error[cli/invalid-value]: --domain is');
    expect(readdirSync(home)).toEqual([]);
    const help = await create('--help');
    expect(help.code).toBe(0);
    expect(help.output).toContain('--package-manager <name>');
  },
);
