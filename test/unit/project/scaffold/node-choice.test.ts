import { readFile } from 'node:fs/promises';
import semver from 'semver';
import { describe, expect, it, test } from 'vitest';
import { fastCheckRange, nodeChoice } from '../../../../src/project/scaffold/index.ts';

const packageJson = async (path: string) =>
  JSON.parse(await readFile(new URL(`../../../../${path}`, import.meta.url), 'utf8')) as {
    readonly version: string;
    readonly engines?: { readonly node: string };
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly devDependencies?: Readonly<Record<string, string>>;
  };

describe('nodeChoice', () => {
  it.each([
    ['20.19.0', '20', '>=20.19', '^20', '^10', '~4.1'],
    ['20.20.2', '20', '>=20.19', '^20', '^10', '~4.1'],
    ['22.11.0', '22', '>=22', '^22', '^9', '~4.1'],
    ['22.12.0', '22', '>=22.12', '^22', '^9', '~5.1'],
    ['22.23.3', '22', '>=22.13', '^22', '^10', '~5.1'],
    ['23.9.0', '22', '>=22', '^22', '^9', '~4.1'],
    ['24.0.0', '24', '>=24', '^24', '^10', '~5.1'],
    ['25.1.0', '24', '>=24', '^24', '^10', '~4.1'],
    ['26.12.1', '26', '>=26', '^26', '^10', '~5.1'],
    ['28.0.0', '26', '>=26', '^26', '^10', '~5.1'],
  ])('fits Node %s', (version, line, engine, types, eslint, vitest) => {
    const choice = nodeChoice(version);
    expect(choice).toMatchObject({ line, engine });
    const majors = ['@types/node', 'eslint', 'vitest'] as const;
    expect(majors.map((name) => choice.tools[name].split('.')[0])).toEqual([
      types,
      eslint,
      vitest.split('.')[0],
    ]);
    expect(choice.tools.vitest.startsWith(vitest)).toBe(true);
    expect(semver.satisfies(version, choice.engine)).toBe(true);
  });

  it('takes no TypeScript that the linter refuses', async () => {
    const { peerDependencies } = JSON.parse(
      await readFile(
        new URL('../../../../node_modules/typescript-eslint/package.json', import.meta.url),
        'utf8',
      ),
    ) as { readonly peerDependencies: { readonly typescript: string } };
    const { typescript } = nodeChoice('24.0.0').tools;
    expect(semver.subset(typescript, peerDependencies.typescript)).toBe(true);
  });
});

test('the tools on the oldest Node are those that op-sdk is built and tested with', async () => {
  const own = await packageJson('package.json');
  const ours = { ...own.dependencies, ...own.devDependencies };
  const { tools } = nodeChoice('20.19.0');
  expect(tools).toEqual(Object.fromEntries(Object.keys(tools).map((name) => [name, ours[name]])));
  expect(fastCheckRange).toBe(ours['fast-check']);
});

test('the Node versions of the tools are those that the installed packages name', async () => {
  const wrong = [];
  for (const name of ['eslint', 'vitest', 'typescript-eslint', 'prettier', 'typescript']) {
    const { engines } = await packageJson(`node_modules/${name}/package.json`);
    for (const version of ['20.19.0', '22.11.0', '22.12.0', '22.13.0', '24.0.0', '26.0.0']) {
      const choice = nodeChoice(version);
      const installed =
        choice.tools[name as keyof typeof choice.tools] ===
        nodeChoice('20.19.0').tools[name as keyof typeof choice.tools];
      if (installed && !semver.satisfies(version, engines?.node ?? '*')) wrong.push(`${name} on ${version}`);
    }
  }
  expect(wrong).toEqual([]);
});
