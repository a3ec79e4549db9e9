import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatLabelSelector,
  labelRequirements,
  LabelSelectorError,
  labelsMatch,
  parseLabelSelector,
  type LabelRequirement,
} from '../../../../src/base/util/label-selector.ts';

/** What `labels.Parse` and `Selector.Matches` of k8s.io/apimachinery v0.36 say; `printed` is null for what they refuse. */
interface Verdicts {
  readonly objects: readonly (Readonly<Record<string, string>> | null)[];
  readonly selectors: readonly {
    readonly selector: string;
    readonly printed: string | null;
    readonly matches: readonly number[];
  }[];
}

const verdicts = JSON.parse(
  readFileSync(new URL('label-selectors.json', import.meta.url), 'utf8'),
) as Verdicts;

const requirement: fc.Arbitrary<LabelRequirement> = fc
  .record({
    key: fc.constantFrom('a', 'b', 'in', 'notin', 'example.com/c', 'A_b.c-9'),
    operator: fc.constantFrom('=', '==', '!=', 'in', 'notin', 'exists', '!', '>', '<'),
    values: fc.uniqueArray(fc.constantFrom('', 'x', 'in', 'v1.2_3'), { minLength: 1 }),
    bound: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
  })
  .map(({ key, operator, values, bound }) => ({
    key,
    operator,
    values:
      operator === 'in' || operator === 'notin'
        ? [...values].sort()
        : operator === 'exists' || operator === '!'
          ? []
          : operator === '>' || operator === '<'
            ? [String(bound)]
            : values.slice(0, 1),
  }));

describe('label selectors', () => {
  test.each(verdicts.selectors)(
    '$selector is read and matched as by the API server',
    ({ selector, printed, matches }) => {
      if (printed === null) {
        expect(() => parseLabelSelector(selector)).toThrow(LabelSelectorError);
        return;
      }
      for (const text of [selector, printed]) {
        const requirements = parseLabelSelector(text);
        const met = verdicts.objects.flatMap((labels, index) =>
          labelsMatch(requirements, labels ?? undefined) ? [index] : [],
        );
        expect(met).toEqual(matches);
      }
    },
  );

  test('what is printed is read as the same', () => {
    fc.assert(
      fc.property(fc.array(requirement), (requirements) => {
        expect(parseLabelSelector(formatLabelSelector(requirements))).toEqual(requirements);
      }),
    );
  });

  test('labels that objects inherit from JavaScript do not count', () => {
    expect(labelsMatch(parseLabelSelector('toString'), {})).toBe(false);
  });

  test('selectors of objects have the same requirements', () => {
    const selector = {
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['b', 'a'] },
        { key: 'x', operator: 'NotIn', values: ['y'] },
        { key: 'on', operator: 'Exists' },
        { key: 'old', operator: 'DoesNotExist' },
      ],
    };
    expect(formatLabelSelector(labelRequirements(selector))).toBe(
      'app=web,tier in (a,b),x notin (y),on,!old',
    );
    expect(() =>
      labelRequirements({ matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1'] }] }),
    ).toThrow(LabelSelectorError);
  });
});
