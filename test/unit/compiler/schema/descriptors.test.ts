// How user interfaces of OLM show a kind, from the tags on its fields.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { generateSchema, loadProgram, type GeneratedSchema } from '../../../../src/compiler/schema/index.ts';
import { parseDescriptor } from '../../../../src/compiler/schema/descriptors/kind-descriptors.ts';
import { xDescriptorProblem } from '../../../../src/compiler/schema/descriptors/x-descriptors.ts';

const folders: string[] = [];
afterEach(() => {
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true });
});

function descriptorsOf(body: string, before = ''): GeneratedSchema['descriptors'] {
  const dir = mkdtempSync(join(tmpdir(), 'opsdk-descriptors-'));
  folders.push(dir);
  const imports = `import type { CustomResource, EmbeddedResource, Int32 } from 'opsdk';`;
  writeFileSync(
    join(dir, 'types.ts'),
    `${imports}\n${before}\ninterface Sample extends CustomResource {${body}}`,
  );
  const source = loadProgram({ projectDir: dir, rootFiles: ['types.ts'] });
  const { descriptors, findings } = generateSchema(source, 'Sample');
  expect(findings).toEqual([]);
  return descriptors;
}

const ui = 'urn:alm:descriptor:com.tectonic.ui:';

describe('descriptors', () => {
  test('each field directly below spec and status has one; deeper ones do if they ask for it', () => {
    const { spec, status, tags, displayName } = descriptorsOf(
      `spec: {
        /** How many. */
        replicaCount: Int32;
        tls?: {
          /**
           * The key.
           * @displayName TLS Secret
           * @descriptor spec urn:alm:descriptor:io.kubernetes:Secret
           */
          secretName: string;
          other: string;
        };
      };
      status?: { ready?: boolean };
      other?: string;`,
      '/** @displayName The Sample */',
    );
    expect(displayName).toBe('The Sample');
    expect(spec).toEqual([
      { path: 'replicaCount', displayName: 'Replica Count', description: 'How many.' },
      { path: 'tls', displayName: 'Tls' },
      {
        path: 'tls.secretName',
        displayName: 'TLS Secret',
        description: 'The key.',
        'x-descriptors': ['urn:alm:descriptor:io.kubernetes:Secret'],
      },
    ]);
    expect(status).toEqual([{ path: 'ready', displayName: 'Ready' }]);
    expect(tags.unused).toEqual([]);
  });

  test('an order comes first; the others keep the order of the fields', () => {
    const { spec } = descriptorsOf(`spec: {
      c: string;
      /** @descriptor spec order=2 */
      b: string;
      a: {
        /** @descriptor spec order=1 */
        d: string;
      };
    }`);
    expect(spec.map(({ path }) => path)).toEqual(['a.d', 'b', 'c', 'a']);
  });

  test('items of lists have an index in their path only where a field follows', () => {
    const { spec } = descriptorsOf(`spec: {
      names: string[];
      rows: {
        cells: {
          /** @descriptor spec */
          text: string;
        }[][];
      }[];
    }`);
    expect(spec.map(({ path }) => path)).toEqual(['names', 'rows', 'rows[0].cells[0][0].text']);
  });

  test('a type that spec and status share has tags for both', () => {
    const { spec, status, tags } = descriptorsOf(
      'spec: { part: Part }; status?: { part?: Part };',
      `interface Part {
        /**
         * @descriptor spec ${ui}text
         * @descriptor status ${ui}hidden
         */
        both: string;
        /** @descriptor status */
        observed?: string;
      }`,
    );
    expect(spec.slice(1)).toEqual([
      { path: 'part.both', displayName: 'Both', 'x-descriptors': [`${ui}text`] },
    ]);
    expect(status.map(({ path }) => path)).toEqual(['part', 'part.both', 'part.observed']);
    expect(tags.unused).toEqual([]);
  });

  test('the members of a union share the tags of a field', () => {
    const { spec, tags } = descriptorsOf(`spec: { mode:
      | { type: 'a'; other: string }
      | {
          /** @descriptor spec ${ui}select:b */
          type: 'b';
          /** @descriptor spec */
          path: string;
        } }`);
    expect(spec.slice(1)).toEqual([
      { path: 'mode.type', displayName: 'Type', 'x-descriptors': [`${ui}select:b`] },
      { path: 'mode.path', displayName: 'Path' },
    ]);
    expect(tags.unused).toEqual([]);
  });

  test('embedded kinds and values of records have none, and their tags are of no use here', () => {
    const { spec, tags } = descriptorsOf(
      'spec: { template: EmbeddedResource<Other>; values: Record<string, Part> }',
      `interface Part {
        /** @descriptor spec */
        inside: string;
      }
      interface Other extends CustomResource {
        spec: {
          /** @descriptor spec */
          own: string;
        };
      }`,
    );
    expect(spec.map(({ path }) => path)).toEqual(['template', 'values']);
    expect(tags.unused.map(({ where }) => where)).toMatchObject([
      { file: 'types.ts', line: 8 },
      { file: 'types.ts', line: 3 },
    ]);
  });
});

describe('@descriptor', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]+:[a-zA-Z.:]+$/), { maxLength: 4 });

  test('is read as it was written, whatever separates its words', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('spec' as const, 'status' as const),
        fc.option(fc.nat({ max: 999_999_999 }), { nil: undefined }),
        words.map((names) => [...new Set(names)]),
        fc.constantFrom(' ', ', ', '\n  '),
        (part, order, xDescriptors, separator) => {
          const orders = order === undefined ? [] : [`order=${order}`];
          expect(parseDescriptor([part, ...orders, ...xDescriptors].join(separator))).toEqual({
            value: { part, xDescriptors, ...(order === undefined ? {} : { order }) },
          });
        },
      ),
    );
  });

  test.each([
    [`${ui}podCount`, undefined],
    [`${ui}select:a`, undefined],
    ['urn:alm:descriptor:io.kubernetes:ConfigMap', undefined],
    ['urn:alm:descriptor:io.kubernetes.phase:reason', undefined],
    [`${ui}fieldDependency`, `write ${ui}fieldDependency:<field>:<value>`],
    ['urn:alm:descriptor:io.kubernetes:', 'write urn:alm:descriptor:io.kubernetes:Secret'],
    [`${ui}booleanSwitsch`, `did you mean ${ui}booleanSwitch?`],
    [`${ui}selct:a`, `did you mean ${ui}select:a?`],
    [`${ui}fieldGroups`, `did you mean ${ui}fieldGroup:…?`],
    ['password', `did you mean ${ui}password?`],
    ['urn:alm:descriptor:org.w3.link', 'did you mean urn:alm:descriptor:org.w3:link?'],
    ['urn:example.com:something-else', 'docs/bundles.md lists the known ones'],
  ])('%s: %s', (name, fix) => {
    expect(xDescriptorProblem(name)?.fix).toBe(fix);
  });
});
