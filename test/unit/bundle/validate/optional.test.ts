import { describe, expect, test } from 'vitest';
import { explanations } from '../../../../src/errors-docs/index.ts';
import { allRules, rules } from '../../../../src/bundle/validate/rules/rules.ts';
import { optionalValidators } from '../../../../src/bundle/validate/rules/validators.ts';
import { runCli } from '../../../helpers/run-cli.ts';
import type { Loose } from '../objects.ts';
import { bundleKey, judge, smallBundle, writeBundle } from './bundle-folder.ts';
import { optionalCases } from './optional-cases.ts';

describe('optional validators', () => {
  const cases = optionalCases.map(([validator, code, counts, change, settings = {}]) => ({
    ...{ validator, code, counts, change, settings },
  }));

  test.each(cases)('$validator: $code: $counts', async ({ validator, code, counts, change, settings }) => {
    const { results } = await judge(change, { optional: [validator], settings });
    const found = results.filter((result) => result.validator === validator && result.rule === code);
    const levels = [...new Set(found.map(({ level }) => level))];
    expect(
      levels.map((level) => `${found.filter((result) => result.level === level).length} ${level}`).join(),
    ).toBe(counts);
  });

  test('an unusual name of a channel is a warning of opsdk, with good-practices', async () => {
    const change = (bundle: Loose): void =>
      void (bundle.annotations[bundleKey('channels.v1')] = 'stable,alpha');
    const { results } = await judge(change, { optional: ['good-practices'] });
    const found = results.filter(({ rule }) => rule === 'bundle/channel-name');
    expect(found).toMatchObject([{ validator: 'opsdk', level: 'warning' }]);
    expect((await judge(change)).results).toEqual([]);
  });

  test('none runs that is not selected', async () => {
    const { results } = await judge();
    expect(results).toEqual([]);
  });

  test('custom categories take the place of the standard ones', async () => {
    const cwd = writeBundle({
      ...smallBundle(),
      files: { 'categories.json': '{"categories": ["Mine"]}' },
    });
    const run = await runCli(['bundle', 'validate', '--select-optional', 'categories'], {
      cwd,
      env: { OPSDK_NO_CACHE: '1', OPERATOR_BUNDLE_CATEGORIES: 'bundle/categories.json' },
    });
    expect(run.code, run.stderr).toBe(0);
  });
});

describe('the table of rules', () => {
  test('has an explanation for every code', () => {
    expect(allRules().filter(({ code }) => !(code in explanations))).toEqual([]);
  });

  test('names what every result has', async () => {
    for (const [validator, , , change, settings = {}] of optionalCases) {
      const { results } = await judge(change, { optional: [validator], settings });
      for (const { validator: by, rule, level } of results)
        expect([level, 'either']).toContain((rules[by] as Record<string, string>)[rule]);
    }
  });
});

describe('--select-optional', () => {
  const select = async (selector: string): Promise<readonly string[]> => {
    const bundle = smallBundle();
    delete bundle.csv.spec.minKubeVersion;
    bundle.csv.metadata.annotations['capabilities'] = 'x';
    const argv = ['bundle', 'validate', '-o', 'json', '--select-optional', selector];
    const run = await runCli(argv, { cwd: writeBundle(bundle) });
    if (run.code === 2) return [JSON.stringify(JSON.parse(run.stdout))];
    const { results } = JSON.parse(run.stdout) as {
      readonly results: readonly { readonly validator: string }[];
    };
    return [...new Set(results.map(({ validator }) => validator))];
  };

  test.each([
    ['all', ['csv', 'operatorhubv2', 'capabilities', 'good-practices', 'operatorhub']],
    ['suite=operatorframework', ['csv', 'operatorhubv2', 'capabilities', 'good-practices']],
    ['name=operatorhub', ['csv', 'operatorhub']],
    ['name in (capabilities, object)', ['csv', 'capabilities']],
    ['capabilities,operatorhubv2', ['csv', 'operatorhubv2', 'capabilities']],
  ])('%s', async (selector, validators) => expect(await select(selector)).toEqual(validators));

  test.each([
    ['operatorhub2', 'did you mean operatorhub'],
    ['suite=none', 'selects no validator'],
    ['name=', 'selects no validator'],
    ['name in x', 'is not a label selector'],
  ])('%s is refused', async (selector, message) => expect((await select(selector))[0]).toContain(message));

  test('--list-optional names all of them', async () => {
    const { stdout } = await runCli(['bundle', 'validate', '--list-optional']);
    expect(
      stdout
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(' ')[0]),
    ).toEqual(optionalValidators);
  });

  test.each(['k8s-versoin=1', 'k8s-version'])('--optional-values %s is refused', async (value) => {
    expect((await runCli(['bundle', 'validate', '--optional-values', value])).code).toBe(2);
  });
});
