import fc from 'fast-check';
import type { JSONSchemaProps } from '../../../src/compiler/schema/index.ts';
import { fieldSchema, problemsOf } from './schemas.ts';
import { hostileText } from './texts.ts';

/** A CustomResourceDefinition, as far as tests build on its form. */
export interface RandomCrd {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly scope: 'Namespaced' | 'Cluster';
    readonly versions: readonly {
      readonly name: string;
      readonly schema: { readonly openAPIV3Schema: JSONSchemaProps };
    }[];
  };
}

const defined = <T extends object>(record: T): T =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;

const rootSchema = (depth: number): fc.Arbitrary<JSONSchemaProps> =>
  fc
    .record({
      description: fc.option(hostileText, { nil: undefined }),
      spec: fc.option(fieldSchema(depth), { nil: undefined, freq: 6 }),
      status: fc.option(fieldSchema(depth - 2), { nil: undefined, freq: 1 }),
      extra: fc.option(fieldSchema(0), { nil: undefined, freq: 4 }),
      standard: fc.nat(7),
      preserve: fc.nat(9),
    })
    .map(({ description, spec, status, extra, standard, preserve }) => {
      const fields = defined({
        ...(standard % 2 === 1 ? { apiVersion: { type: 'string' } } : {}),
        ...(standard > 3 ? { kind: { type: 'string', description: 'The kind.' } } : {}),
        ...(standard > 1 ? { metadata: { type: 'object' } } : {}),
        spec,
        status,
        extra,
      }) as Record<string, JSONSchemaProps>;
      return defined({
        description,
        type: 'object',
        properties: fields,
        ...(standard === 7 && spec !== undefined ? { required: ['spec'] } : {}),
        ...(preserve === 0 ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
      }) as JSONSchemaProps;
    })
    .filter((schema) => problemsOf(schema, true).length === 0);

const column = fc
  .record({
    name: fc.constantFrom('Age', 'Size', 'a "name"'),
    type: fc.constantFrom('string', 'integer', 'date', 'boolean', 'number'),
    jsonPath: fc.constantFrom(
      '.metadata.creationTimestamp',
      '.spec.size',
      '.status.conditions[?(@.type=="Ready")].status',
    ),
    description: fc.option(
      hostileText.filter((text) => text !== ''),
      { nil: undefined },
    ),
    priority: fc.option(fc.nat(2), { nil: undefined }),
  })
  .map(defined);

/** Of warnings the API server wants characters that can be printed, and at least one. */
const printable = hostileText.filter((text) => text !== '' && !/[^\P{C}]|[^\P{Z} ]/u.test(text));

/** Definitions that the API server takes, in groups of their own: the number makes the group. */
export function randomCrd(index: number): fc.Arbitrary<RandomCrd> {
  return fc
    .record({
      schemas: fc.array(rootSchema(3), { minLength: 1, maxLength: 2 }),
      scope: fc.constantFrom('Namespaced' as const, 'Cluster' as const),
      columns: fc.array(column, { maxLength: 2 }),
      shortNames: fc.option(fc.constantFrom(['th'], ['th', 'thg']), { nil: undefined }),
      categories: fc.option(fc.constantFrom(['all']), { nil: undefined }),
      deprecation: fc.option(printable, { nil: undefined }),
      annotation: fc.option(hostileText, { nil: undefined }),
      status: fc.boolean(),
    })
    .map(({ schemas, scope, columns, shortNames, categories, deprecation, annotation, status }) => {
      const group = `g${index}.example.com`;
      const versions = schemas.map((openAPIV3Schema, at) =>
        defined({
          name: `v${at + 1}`,
          served: true,
          storage: at === schemas.length - 1,
          schema: { openAPIV3Schema },
          additionalPrinterColumns: columns.length > 0 ? columns : undefined,
          subresources: status ? { status: {} } : undefined,
          ...(deprecation === undefined || at > 0
            ? {}
            : { deprecated: true, deprecationWarning: deprecation }),
        }),
      );
      const names = defined({
        kind: 'Thing',
        listKind: 'ThingList',
        plural: 'things',
        singular: 'thing',
        shortNames,
        categories,
      });
      const metadata = defined({
        name: `things.${group}`,
        annotations: annotation === undefined ? undefined : { 'example.com/note': annotation },
      });
      return {
        apiVersion: 'apiextensions.k8s.io/v1' as const,
        kind: 'CustomResourceDefinition' as const,
        metadata,
        spec: { group, names, scope, versions },
      };
    });
}

/** As many definitions as asked for; the same seed gives the same ones. */
export function randomCrds(count: number, seed: number): RandomCrd[] {
  return Array.from({ length: count }, (_, index) =>
    fc.sample(randomCrd(index), { seed: seed + index, numRuns: 1 }),
  ).flat();
}
