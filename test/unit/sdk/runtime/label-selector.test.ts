import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { labelTest } from '../../../../src/sdk/runtime/cache/index.ts';

describe('label selectors', () => {
  const labels = { app: 'web', env: 'prod', 'example.com/tier': '', empty: '' };

  it.each([
    ['', true],
    ['app=web', true],
    ['app==web', true],
    ['app = web , env=prod', true],
    ['app=db', false],
    ['app!=db', true],
    ['missing!=x', true],
    ['app!=web', false],
    ['app', true],
    ['missing', false],
    ['!missing', true],
    ['!app', false],
    ['env in (prod, test)', true],
    ['env in (test)', false],
    ['missing in (a)', false],
    ['env notin (prod)', false],
    ['missing notin (a)', true],
    ['example.com/tier=', true],
    ['empty in ()', true],
    ['app=web,env in (prod,test),!missing', true],
    ['toString', false],
  ])('%j: %s', (selector, matches) => {
    expect(labelTest(selector)(labels)).toBe(matches);
  });

  it('an object without labels matches what asks for none', () => {
    expect(labelTest('!a,b!=c')(undefined)).toBe(true);
    expect(labelTest('a')(undefined)).toBe(false);
  });

  it.each(['=x', 'a=b=c', 'a in x', 'a in (x', 'a,,b', 'a b', '-a=b', 'a=-b', 'a/b/c=d', ','])(
    'refuses %j',
    (text) => {
      expect(() => labelTest(text)).toThrow(/runtime\/invalid-selector/);
    },
  );

  it('finds what it is made from', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9]([A-Za-z0-9._-]{0,8}[A-Za-z0-9])?$/);
    fc.assert(
      fc.property(fc.dictionary(name, name, { noNullPrototype: true }), (made) => {
        const selector = Object.entries(made).map(([key, value]) => `${key}=${value}`);
        expect(labelTest(selector.join(','))(made)).toBe(true);
        for (const key of Object.keys(made)) expect(labelTest(`!${key}`)(made)).toBe(false);
      }),
    );
  });
});
