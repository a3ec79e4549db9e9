// Definitions that kubectl's client-side apply cannot carry: the golden files would be tens of thousands of lines.
import { expect, test } from 'vitest';
import { FindingList } from '../../../../src/base/errors/index.ts';
import { collectKinds } from '../../../../src/compiler/manifests/collect-kinds.ts';
import { crdDocument } from '../../../../src/compiler/manifests/crd/crd-document.ts';
import { loadProgram, readDeclarations } from '../../../../src/compiler/schema/index.ts';
import { structuralSchema } from '../../../../src/kubernetes/tables/index.ts';
import { lines } from './fixture.ts';
import { projectFolder } from './project-folder.ts';

/** Fields that are required are a set. */
const inOneOrder = (schema: unknown): unknown =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === 'required' && Array.isArray(value) ? value.toSorted() : value,
    ),
  );

interface CrdLike {
  readonly spec: {
    readonly versions: readonly {
      readonly schema: {
        readonly openAPIV3Schema: {
          readonly properties: {
            readonly spec: {
              readonly properties: Readonly<
                Record<string, { readonly properties: { readonly spec: unknown } }>
              >;
            };
          };
        };
      };
    }[];
  };
}

test('a kind with many templates of Pods has the schema of the table in each, and a warning about its size', () => {
  const names = Array.from({ length: 7 }, (_, index) => `template${index}`);
  const folder = projectFolder({
    'src/sample.ts': `import { defineResource, type CustomResource } from 'opsdk';
import type { PodTemplateSpec } from 'opsdk/k8s/core/v1';
export interface Sample extends CustomResource { spec: { ${names.map((name) => `${name}?: PodTemplateSpec;`).join(' ')} } }
export const Sample = defineResource<Sample>({ group: 'example.com', version: 'v1', kind: 'Sample' });
`,
  });
  const source = loadProgram({ projectDir: folder.dir, rootFiles: ['src/sample.ts'] });
  folder.remove();
  const findings = new FindingList();
  const { kinds, warnings } = collectKinds(findings, source, readDeclarations(source).resources);
  expect(lines(findings)).toEqual([]);
  expect(lines(warnings)).toEqual([
    expect.stringMatching(
      /^manifests\/large-crd src\/sample\.ts:4:23 the CustomResourceDefinition samples\.example\.com has \d{6} bytes; client-side `kubectl apply` cannot apply more than 262144$/,
    ),
  ]);
  const [crd] = kinds.map((kind) => crdDocument(kind) as unknown as CrdLike);
  const templates = crd?.spec.versions[0]?.schema.openAPIV3Schema.properties.spec.properties ?? {};
  expect(Object.keys(templates)).toEqual(names);
  const table = structuralSchema('io.k8s.api.core.v1.PodSpec', { descriptions: false });
  for (const name of names)
    expect(inOneOrder(templates[name]?.properties.spec), name).toEqual(inOneOrder(table));
});
