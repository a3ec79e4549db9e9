import { describe, expect, test } from 'vitest';
import { camelCase } from '../../../../src/project/project/index.ts';
import {
  apiModel,
  pathNames,
  reservedKinds,
  type ApiInput,
} from '../../../../src/project/scaffold/sets/api.ts';
import { renderSet } from '../../../../src/project/scaffold/template-tree.ts';

const input = (kind: string): ApiInput => ({
  projectName: 'x',
  resource: {
    ...{ group: 'g', domain: 'example.com', version: 'v1', kind, plural: 'things', controller: true },
    path: 'src/api/g/v1/thing.ts',
  },
  withResource: true,
  withController: true,
  pluralGiven: false,
  firstVersion: true,
  ambiguousKind: false,
  header: '',
});

// Every name that the scaffolded controller and its test use, found in what their templates give.
const files = await renderSet('controller', apiModel(input('Thing')), pathNames(input('Thing').resource));
const code = files.map((file) => file.content.replaceAll(/'[^'\n]*'|\/\/.*|\/\*[^]*?\*\//g, "''")).join('\n');
// Words of the language that variables may be called, and methods.
const harmless = ['async', 'from', 'onError', 'reconcile', 'type'];
const kindOf = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);
const names = [...new Set(code.match(/(?<![.\w])[a-z]\w*(?!\w|\s*:)/g))].filter(
  (name) =>
    !/thing/i.test(name) &&
    !harmless.includes(name) &&
    camelCase(kindOf(name)) === name &&
    !reservedKinds.includes(kindOf(name)),
);

describe('an object of the kind is not called like anything else in the scaffolded files', () => {
  test('the names were found', () => {
    expect(names).toEqual(
      expect.arrayContaining(['it', 'expect', 'first', 'conditionsOf', 'client', 'const']),
    );
  });

  test.each(names)('%s', (name) => {
    expect(apiModel(input(kindOf(name)))['variable']).not.toBe(name);
  });
});
