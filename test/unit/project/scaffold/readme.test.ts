// The README of a new project, which a reader of a fresh clone follows.
import { expect, test } from 'vitest';
import { detectPackageManager } from '../../../../src/project/project/index.ts';
import { initFiles } from '../../../../src/project/scaffold/sets/bundle.ts';

test.each(['npm', 'pnpm', 'yarn', 'bun'])('begins with the installation by %s', async (name) => {
  const packageManager = detectPackageManager({ npm_config_user_agent: `${name}/9.0.0` });
  const files = await initFiles({
    domain: 'example.com',
    repo: 'example.com/cache-operator',
    projectName: 'cache-operator',
    owner: 'somebody',
    license: 'none',
    opsdk: '^0.1.0',
    cliVersion: '0.1.0',
    packageManager,
    nodeVersion: '20.19.0',
  });
  const readme = files.find(({ path }) => path === 'README.md')?.content ?? '';
  const [, block = ''] = /```sh\n([^]*?)```/.exec(readme) ?? [];
  expect(block).toBe(`${name} install\n${packageManager.exec} op-sdk dev --samples\n`);
});
