import { describe, expect, it } from 'vitest';
import type { CrdDocument } from '../../../../src/kubernetes/crd/index.ts';
import { importGroup } from '../../../../src/compiler/import/index.ts';
import type { JSONSchemaProps } from '../../../../src/compiler/schema/index.ts';
import { crdOf, specOf } from './crd-fixture.ts';

const tls: JSONSchemaProps = {
  type: 'object',
  properties: { ca: { type: 'object', properties: { name: { type: 'string' } } } },
};
const crds = [0, 1].map((number) => crdOf(specOf({ type: 'object', properties: { tls } }), number));

function textsOf(wanted: readonly CrdDocument[], sharedText?: string): readonly string[] {
  const sharedTexts = sharedText === undefined ? [] : [{ file: 'shared.ts', text: sharedText }];
  const { modules } = importGroup(wanted, { clientOnly: false, sharedTexts });
  return wanted.map((crd) => {
    const [module] = modules.get(crd) ?? [];
    return [
      ...(module?.imports ?? []).map(({ from }) => `from ${from}`),
      ...(module?.declarations ?? []),
    ].join('\n');
  });
}

const [shared] = importGroup(crds, { clientOnly: false }).shared;
const sharedText = `// Shared.\n\n${shared?.declarations.join('\n\n')}\n`;

describe('types that several kinds have', () => {
  it('are declared once', () => {
    expect(shared?.declarations).toHaveLength(2);
    expect(sharedText).toContain('export interface Tls {\n  ca?: Ca;\n}');
    for (const text of textsOf(crds)) {
      expect(text).toContain('from ../shared.ts');
      expect(text).not.toContain('export interface Tls');
    }
  });

  it('are not their specs, which are the first to differ', () => {
    expect(textsOf(crds).map((text) => /export interface \w+Spec/.exec(text)?.[0])).toEqual([
      'export interface Sample0Spec',
      'export interface Sample1Spec',
    ]);
  });

  it('are none of one kind alone', () => {
    const [first] = crds;
    const imported = importGroup(first === undefined ? [] : [first], { clientOnly: false });
    expect(imported.shared).toEqual([]);
    expect(textsOf(crds.slice(0, 1))[0]).toContain('export interface Tls');
  });

  it('do not depend on the order of the definitions', () => {
    expect(importGroup(crds.toReversed(), { clientOnly: false }).shared).toEqual([shared]);
  });
});

describe('a file of shared types that is there', () => {
  it('is imported from and not written again', () => {
    const sharedTexts = [{ file: 'shared.ts', text: sharedText }];
    expect(importGroup(crds, { clientOnly: false, sharedTexts }).shared).toEqual([]);
    expect(textsOf(crds, sharedText)).toEqual(textsOf(crds));
    expect(textsOf(crds, sharedText.replaceAll('\n', '\r\n'))).toEqual(textsOf(crds));
  });

  it.each([
    ['its field', sharedText.replace('name?: string', 'name: string')],
    ['its comment', sharedText.replace('export interface Ca', '/** Mine. */\nexport interface Ca')],
    ['its name', sharedText.replaceAll('Ca', 'Authority')],
  ])('gives no type of which somebody has edited %s, nor what is made of it', (_what, edited) => {
    expect(edited).not.toBe(sharedText);
    for (const text of textsOf(crds, edited)) {
      expect(text).toContain('export interface Ca');
      expect(text).toContain('export interface Tls');
      expect(text).not.toContain('from ../shared.ts');
    }
  });
});

describe('a type that has the same words as one of a file of shared types', () => {
  const text: JSONSchemaProps = { type: 'string' };
  const header: JSONSchemaProps = {
    type: 'object',
    required: ['name', 'value'],
    properties: { name: text, value: text },
  };
  /** `HTTPGetAction`: that of `opsdk/k8s` unless its path has a description. */
  const probe = (path: JSONSchemaProps): JSONSchemaProps => ({
    type: 'object',
    properties: {
      get: {
        type: 'object',
        required: ['port'],
        properties: {
          host: text,
          httpHeaders: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: header },
          path,
          port: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
          protocol: text,
          scheme: text,
        },
      },
    },
  });
  const crdWith = (path: JSONSchemaProps, number: number): CrdDocument =>
    crdOf(specOf({ type: 'object', properties: { probe: probe(path) } }), number);
  const described = { ...text, description: 'Path.' };
  const sharedOf = (path: JSONSchemaProps): string => {
    const [module] = importGroup([crdWith(path, 0), crdWith(path, 1)], { clientOnly: false }).shared;
    const imports = (module?.imports ?? []).map(({ from, clause }) => `import ${clause} from '${from}';`);
    return [`// Shared.\n${imports.join('\n')}`, ...(module?.declarations ?? [])].join('\n\n').concat('\n');
  };
  const late = (path: JSONSchemaProps, existing: string): string | undefined =>
    textsOf([crdWith(path, 2)], existing)[0];

  it('is imported from there where they mean the same', () => {
    for (const path of [text, described]) {
      expect(sharedOf(path)).toContain('export interface Probe {\n  get?: HTTPGetAction;\n}');
      expect(late(path, sharedOf(path))).toContain('from ../shared.ts');
      expect(late(path, sharedOf(path))).not.toContain('export interface Probe');
    }
  });

  it.each([
    ['the file declares a name that now comes from a package', text, sharedOf(described)],
    ['the file takes from a package what is now declared', described, sharedOf(text)],
    ['the file takes the name from another package', text, sharedOf(text).replace('opsdk/k8s/', 'mine/')],
    [
      'somebody has added to a type elsewhere in the file',
      described,
      `${sharedOf(described)}\nexport interface HTTPGetAction {\n  more: string;\n}\n`,
    ],
  ])('is written out where %s', (_what, path, existing) => {
    expect(late(path, existing)).toContain('export interface Probe');
  });
});

describe('a kind with more types than a file should have', () => {
  const many = Object.fromEntries(
    Array.from({ length: 700 }, (_, index): [string, JSONSchemaProps] => [
      `part${index}x`,
      { type: 'object', properties: { [`field${index}x`]: { type: 'string' } } },
    ]),
  );
  const long = crdOf(specOf({ type: 'object', properties: { all: { type: 'object', properties: many } } }));

  it('keeps its spec, however long that is', () => {
    const longSpec = crdOf(specOf({ type: 'object', properties: { ...many, tls } }));
    const again = Object.fromEntries(
      Object.keys(many).map((name) => [`${name}More`, { type: 'boolean' as const }]),
    );
    const longer = crdOf(specOf({ type: 'object', properties: { ...many, ...again, tls } }));
    for (const crd of [longSpec, longer]) {
      const { modules, shared } = importGroup([crd], { clientOnly: false });
      expect(shared.flatMap(({ declarations }) => declarations).join('\n')).not.toContain('Sample0Spec');
      expect(
        modules
          .get(crd)
          ?.flatMap(({ declarations }) => declarations)
          .join('\n'),
      ).toContain('export interface Sample0Spec {');
    }
  });

  it('leaves types to files whose names are free', () => {
    const takenFiles = ['shared.ts', 'shared-3.ts'];
    const { shared } = importGroup([long], { clientOnly: false, takenFiles });
    expect(shared.map(({ file }) => file).sort()).toEqual([
      'shared-2.ts',
      'shared-4.ts',
      'shared-5.ts',
      'shared-6.ts',
    ]);
  });

  it('leaves types to further files, none of which is too long', () => {
    const { modules, shared } = importGroup([long], { clientOnly: false });
    const files = [...shared, ...(modules.get(long) ?? [])];
    expect(shared.map(({ file }) => file).sort()).toEqual([
      'shared-2.ts',
      'shared-3.ts',
      'shared-4.ts',
      'shared.ts',
    ]);
    const declared = files.flatMap(({ declarations }) => declarations);
    expect(declared).toHaveLength(703);
    for (const { declarations } of files.filter((file) => !file.declarations.join('').includes(' all?:')))
      expect(declarations.join('\n\n').split('\n').length).toBeLessThan(1000);
  });
});
