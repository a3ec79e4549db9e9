import { describe, expect, it } from 'vitest';
import { verifyImports } from '../../../helpers/verify-imports.ts';
import type { ImportedCrd } from '../../../../src/compiler/import/verify-imports.ts';
import { crdOf, imported, specOf, textOf } from './crd-fixture.ts';

const spec = specOf({
  type: 'object',
  properties: { size: { type: 'integer', format: 'int32', minimum: 1 } },
});

/** An import whose files were changed. */
function changed(number: number, change: (text: string) => string): ImportedCrd {
  const original = imported(crdOf(spec, number));
  return {
    ...original,
    files: original.files.map(({ path, content }) => ({ path, content: change(content) })),
  };
}

describe('the check of an import', () => {
  it('tells what is not as it was, by CRD, and of nothing else', () => {
    const good = imported(crdOf(spec, 1));
    const lost = changed(2, (text) => text.replace('@minimum 1', '@minimum 2'));
    const refused = changed(3, (text) => text.replace('Int32;', 'number;'));
    const unreadable = changed(4, (text) => text.replace('interface', 'interfaces'));
    const found = verifyImports([good, lost, refused, unreadable]);
    expect([...found.keys()].sort((a, b) => (a.crd.metadata.name < b.crd.metadata.name ? -1 : 1))).toEqual([
      lost,
      refused,
      unreadable,
    ]);
    expect(found.get(lost)?.map(({ message }) => message)).toEqual([
      'sample2s.example.com: spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.size.minimum is 1 in the imported CRD, but would be 2 in the generated one',
    ]);
    expect(found.get(refused)?.[0]?.message).toContain('[schema/plain-number]');
    expect(found.get(unreadable)?.[0]?.message).toContain('[schema/syntax-error]');
  });
});

describe('types for clients', () => {
  it('keep docs and shapes, and are without tags', () => {
    const text = textOf(
      specOf({
        type: 'object',
        properties: {
          size: {
            type: 'integer',
            format: 'int32',
            minimum: 1,
            default: 3,
            description: 'How many */ @pods.',
          },
          open: {
            type: 'object',
            properties: { a: { type: 'string' } },
            'x-kubernetes-preserve-unknown-fields': true,
          },
        },
      }),
      true,
    );
    expect(text).toContain('/** How many *\\/ \\@pods. */\n  size?: Int32;');
    expect(text).toContain('[key: string]: unknown;');
    expect(text).toContain(
      "externalResource<Sample0>({\n  group: 'example.com',\n  version: 'v1',\n  kind: 'Sample0',\n  plural: 'sample0s',\n  scope: 'Namespaced',\n});",
    );
    expect(text).not.toMatch(/@minimum|@default/);
  });
});

describe('what the compiler knows', () => {
  it('paths that lead nowhere are kept from it', () => {
    const crd = crdOf(spec);
    const [version] = crd.spec.versions;
    const column = (name: string, jsonPath: string) => ({ name, type: 'string', jsonPath });
    const columns = [
      column('Size', '.spec.size'),
      column('Lost', '.spec.lost'),
      column('Any', '.status.x[0]'),
    ];
    const text =
      version === undefined
        ? ''
        : (imported({
            ...crd,
            spec: { ...crd.spec, versions: [{ ...version, additionalPrinterColumns: columns }] },
          }).files[0]?.content ?? '');
    expect(text).toContain("jsonPath: '.spec.size' }");
    expect(text).toContain("jsonPath: '.spec.lost' as never }");
    expect(text).toContain("jsonPath: '.status.x[0]' }");
  });
});
