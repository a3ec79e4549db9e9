import { describe, expect, test } from 'vitest';
import { explanations } from '../../../../../src/cli/explanations/explanations.ts';
import { allRules } from '../../../../../src/olm/bundle/validate/rules/index.ts';
import { optionalValidators } from '../../../../../src/olm/bundle/validate/rules/validators.ts';
import { passes } from '../../../../../src/olm/bundle/validate/validate-bundle.ts';
import { runCli } from '../../../../helpers/run-cli.ts';
import type { Loose } from '../objects.ts';
import { addObject, bundleKey, judge, smallBundle, writeBundle } from './bundle-folder.ts';
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

describe('--optional-values index-path, for a bundle with an API that OpenShift 4.9 does not have', () => {
  const label = 'com.redhat.openshift.versions';
  const judgeLabel = async (dockerfile: string | undefined, indexPath = 'bundle/index.Dockerfile') => {
    const change = (bundle: Loose): void => {
      addObject(bundle, 'rbac.authorization.k8s.io/v1beta1', 'Role', { name: 'a' });
      bundle.csv.metadata.annotations['olm.properties'] =
        '[{"type":"olm.maxOpenShiftVersion","value":"4.8"}]';
      bundle.files['index.Dockerfile'] = dockerfile;
    };
    const { results } = await judge(change, { optional: ['community'], settings: { indexPath } });
    return results.filter(({ validator }) => validator === 'community');
  };

  test.each([
    `LABEL ${label}="v4.6-v4.8"`,
    `LABEL ${label}=4.5-4.8`,
    `LABEL ${label}==v4.8`,
    `LABEL ${label}=="v4.6"`,
  ])('nothing: %s', async (line) => {
    expect(await judgeLabel(`FROM scratch\n${line}\n`)).toEqual([]);
  });

  test.each([
    ['FROM scratch', 'it has no label'],
    [`LABEL ${label}="v4.6-v4.9"`, `${label} allows 4.9; OpenShift has the APIs up to 4.8`],
    [`LABEL ${label}=v4.6`, 'allows 4.6 and all that follow'],
    [`LABEL ${label}==v4.9`, 'allows 4.9; OpenShift has the APIs up to 4.8'],
    [`LABEL ${label}=4.6-later`, '"later" of com.redhat.openshift.versions is not a version'],
    [`LABEL ${label}=`, 'has no range'],
    [`LABEL ${label} "v4.6-v4.8"`, `gives ${label} no value`],
  ])('an error: %s', async (line, message) => {
    const found = await judgeLabel(`FROM scratch\n${line}\n`);
    expect(found).toMatchObject([
      { rule: 'bundle/openshift-label', level: 'error', where: { file: 'bundle/index.Dockerfile' } },
    ]);
    expect(found[0]?.message).toContain(message);
  });

  test.each([
    ['bundle/none', 'it does not exist'],
    ['bundle', 'it is not a file'],
  ])('an error: %s', async (path, message) => {
    const found = await judgeLabel(undefined, path);
    expect(found).toMatchObject([{ level: 'error', message: `${path}: ${message}` }]);
  });
});

describe('the table of rules', () => {
  test('has an explanation for every code', () => {
    expect(allRules().filter(({ code }) => !(code in explanations))).toEqual([]);
  });

  test('names what every result has', async () => {
    for (const [validator, , , change, settings = {}] of optionalCases) {
      const { results } = await judge(change, { optional: [validator], settings });
      for (const { validator: by, rule, level } of results) {
        const known = allRules().find(({ code, validator }) => code === rule && validator === by);
        expect([level, 'either']).toContain(known?.level);
      }
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

test('strict judges the bundle, not that a validator is deprecated', async () => {
  const codes = async (change?: (bundle: Loose) => void): Promise<readonly [boolean, ...string[]]> => {
    const verdict = await judge(change, { optional: ['operatorhub'] });
    const results = verdict.results.filter(({ validator }) => validator === 'operatorhub');
    return [passes({ results }, true), ...results.map(({ rule }) => rule)];
  };
  const described = ({ csv }: Loose): void => {
    csv.spec.provider = { name: 'Example Inc.' };
    csv.spec.icon = [{ base64data: 'PHN2Zy8+', mediatype: 'image/svg+xml' }];
  };
  expect(await codes(described)).toEqual([true, 'bundle/deprecated-validator']);
  expect(await codes()).toEqual([
    false,
    'bundle/no-provider',
    'bundle/no-icon',
    'bundle/deprecated-validator',
  ]);
});
