import { describe, expect, it } from 'vitest';
import { prefixes } from '../../../../src/kubernetes/tables/generated/names.ts';
import { schemas } from '../../../../src/kubernetes/tables/generated/schemas.ts';
import {
  SchemaTableError,
  structuralSchema,
  tableNameOf,
  type StructuralSchema,
} from '../../../../src/kubernetes/tables/index.ts';
import { inlineSchema } from '../../../../src/kubernetes/tables/structural-schema.ts';
import type { TableSchema } from '../../../../src/kubernetes/tables/names.ts';

const core = (type: string, descriptions = false) =>
  structuralSchema(`io.k8s.api.core.v1.${type}`, { descriptions });

/** The schema at a path of field names; `[]` for items, `{}` for additional properties. */
function at(schema: StructuralSchema, path: string): StructuralSchema {
  let here: StructuralSchema | undefined = schema;
  for (const step of path.split('.')) {
    here =
      step === '[]' ? here?.items : step === '{}' ? here?.additionalProperties : here?.properties?.[step];
  }
  if (here === undefined) throw new Error(`nothing at ${path}`);
  return here;
}

function everySchema(schema: StructuralSchema, visit: (schema: StructuralSchema) => void): void {
  visit(schema);
  const parts = [schema.items, schema.additionalProperties, ...Object.values(schema.properties ?? {})];
  for (const part of parts) if (part !== undefined) everySchema(part, visit);
}

describe('structuralSchema of a ContainerPort', () => {
  it('is what controller-gen writes, with the default of protocol', () => {
    expect(core('ContainerPort')).toEqual({
      type: 'object',
      required: ['containerPort'],
      properties: {
        containerPort: { type: 'integer', format: 'int32' },
        hostIP: { type: 'string' },
        hostPort: { type: 'integer', format: 'int32' },
        name: { type: 'string' },
        protocol: { type: 'string', default: 'TCP' },
      },
    });
  });

  it('has descriptions when asked for', () => {
    const schema = core('ContainerPort', true);
    expect(schema.description).toBe('ContainerPort represents a network port in a single container.');
    expect(at(schema, 'protocol').description).toBe(
      'Protocol for port. Must be UDP, TCP, or SCTP. Defaults to "TCP".',
    );
  });
});

describe('structuralSchema of a Condition', () => {
  it('has the validation of the Go type’s markers', () => {
    const schema = structuralSchema('io.k8s.apimachinery.pkg.apis.meta.v1.Condition', {
      descriptions: false,
    });
    expect(schema.required).toEqual(['type', 'status', 'lastTransitionTime', 'reason', 'message']);
    expect(at(schema, 'lastTransitionTime')).toEqual({ type: 'string', format: 'date-time' });
    expect(at(schema, 'message')).toEqual({ type: 'string', maxLength: 32768 });
    expect(at(schema, 'observedGeneration')).toEqual({ type: 'integer', format: 'int64', minimum: 0 });
    expect(at(schema, 'reason')).toEqual({
      type: 'string',
      maxLength: 1024,
      minLength: 1,
      pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
    });
    expect(at(schema, 'status')).toEqual({ type: 'string', enum: ['True', 'False', 'Unknown'] });
    expect(at(schema, 'type')).toMatchObject({ type: 'string', maxLength: 316 });
  });
});

describe('structuralSchema of a PodTemplateSpec', () => {
  const schema = core('PodTemplateSpec');

  it('keeps the metadata that users write into templates', () => {
    expect(Object.keys(at(schema, 'metadata').properties ?? {})).toEqual([
      'annotations',
      'finalizers',
      'labels',
      'name',
      'namespace',
    ]);
    expect(at(schema, 'metadata.labels')).toEqual({
      type: 'object',
      additionalProperties: { type: 'string' },
    });
  });

  it('keeps list types, so that server-side apply merges', () => {
    const keys = (path: string) => at(schema, path)['x-kubernetes-list-map-keys'];
    expect(keys('spec.containers')).toEqual(['name']);
    expect(keys('spec.containers.[].ports')).toEqual(['containerPort', 'protocol']);
    expect(keys('spec.containers.[].volumeMounts')).toEqual(['mountPath']);
    expect(keys('spec.volumes')).toEqual(['name']);
    expect(at(schema, 'spec.containers.[].args')['x-kubernetes-list-type']).toBe('atomic');
    expect(at(schema, 'spec.nodeSelector')['x-kubernetes-map-type']).toBe('atomic');
  });

  it('knows quantities, ports by name, times and bytes', () => {
    const quantity = at(schema, 'spec.containers.[].resources.limits.{}');
    expect(quantity['x-kubernetes-int-or-string']).toBe(true);
    expect(quantity.anyOf).toEqual([{ type: 'integer' }, { type: 'string' }]);
    for (const good of ['1', '500m', '2Gi', '-1.5', '1e3', '.5'])
      expect(good).toMatch(new RegExp(quantity.pattern ?? ''));
    for (const bad of ['', '1 Gi', '1gi', 'x', '1e'])
      expect(bad).not.toMatch(new RegExp(quantity.pattern ?? ''));
    expect(at(schema, 'spec.containers.[].livenessProbe.httpGet.port')).toEqual({
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      'x-kubernetes-int-or-string': true,
    });
  });

  it('has only real defaults', () => {
    const defaults = new Set<string>();
    everySchema(schema, (part) => {
      for (const [name, property] of Object.entries(part.properties ?? {})) {
        if (property.default === undefined) continue;
        defaults.add(`${name}=${JSON.stringify(property.default)}`);
        expect(part.required ?? [], `a required field has a default: ${name}`).not.toContain(name);
      }
    });
    expect([...defaults].sort()).toEqual([
      'cachingMode="ReadWrite"',
      'fsType="ext4"',
      'fsType="xfs"',
      'iscsiInterface="default"',
      'keyring="/etc/ceph/keyring"',
      'kind="Shared"',
      'name=""',
      'optional=false',
      'pool="rbd"',
      'protocol="TCP"',
      'readOnly=false',
      'service=""',
      'storageMode="ThinProvisioned"',
      'user="admin"',
    ]);
  });

  it('does not freeze the values that this server knows, nor says how to patch', () => {
    const text = JSON.stringify(schema);
    for (const word of [
      'enum',
      'knownValues',
      '$ref',
      'patch',
      'description',
      'unions',
      'group-version-kind',
    ]) {
      expect(text).not.toContain(`"${word}`);
      expect(text).not.toContain(`x-kubernetes-${word}`);
    }
  });

  it('is 60 kB without descriptions and less than 350 kB with them', () => {
    expect(JSON.stringify(schema).length).toBeLessThan(70_000);
    expect(JSON.stringify(core('PodTemplateSpec', true)).length).toBeLessThan(350_000);
  });

  it('belongs to the caller', () => {
    const mine = core('PodTemplateSpec');
    everySchema(mine, (part) => {
      part.description = 'mine';
      part.required?.push('mine');
    });
    expect(core('PodTemplateSpec')).toEqual(schema);
  });
});

describe('structuralSchema of every type', () => {
  const refused = new Map<string, string>();
  const inlined = new Map<string, StructuralSchema>();
  for (const name of Object.keys(schemas)) {
    try {
      inlined.set(name, structuralSchema(name, { descriptions: true }));
    } catch (error) {
      if (!(error instanceof SchemaTableError)) throw error;
      refused.set(name.split('.').slice(-1).join(''), error.reason);
    }
  }

  it('refuses just those that a CRD cannot say', () => {
    expect([...refused].map(([name, reason]) => `${name}: ${reason}`).sort()).toEqual([
      'CustomResourceDefinition: not-structural',
      'CustomResourceDefinitionSpec: not-structural',
      'CustomResourceDefinitionVersion: not-structural',
      'CustomResourceValidation: not-structural',
      'JSONSchemaProps: not-structural',
      'JSONSchemaPropsOrArray: not-structural',
      'JSONSchemaPropsOrBool: not-structural',
      'JSONSchemaPropsOrStringArray: not-structural',
      'ResourceClaim: not-structural',
      'ResourceClaimStatus: not-structural',
      'ServiceAccount: not-structural',
    ]);
  });

  it('gives a default of the right type, names only fields that exist as required, and items to every list', () => {
    for (const [name, schema] of inlined) {
      everySchema(schema, (part) => {
        if (part.type === 'array') expect(part.items, name).toBeDefined();
        for (const field of part.required ?? [])
          expect(Object.keys(part.properties ?? {}), name).toContain(field);
        if (part.default !== undefined)
          expect(typeof part.default, name).toBe(part.type === 'integer' ? 'number' : part.type);
      });
    }
  });
});

describe('tableNameOf', () => {
  it('finds what users import from opsdk/k8s', () => {
    expect(tableNameOf('core/v1', 'ContainerPort')).toBe('io.k8s.api.core.v1.ContainerPort');
    expect(tableNameOf('meta/v1', 'Condition')).toBe('io.k8s.apimachinery.pkg.apis.meta.v1.Condition');
    expect(tableNameOf('meta/v1', 'ObjectMeta')).toBe('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
    expect(tableNameOf('core/v1', 'Nothing')).toBeUndefined();
    expect(tableNameOf('core/v9', 'Pod')).toBeUndefined();
    expect(tableNameOf('__proto__', 'toString')).toBeUndefined();
  });

  it('has a file for every prefix', () => {
    expect(Object.keys(prefixes)).toContain('apiextensions/v1');
    for (const prefix of Object.values(prefixes)) expect(prefix).toMatch(/^io\.k8s\..*\.v[a-z0-9]+\.$/);
  });
});

describe('inlineSchema', () => {
  const inline = (name: string, types: Record<string, TableSchema>, descriptions = {}) =>
    inlineSchema(name, {
      schema: (type) => types[type],
      descriptions: (type) => (descriptions as Record<string, Record<string, string>>)[type] ?? {},
    });

  it('lets the keywords beside a reference override the type', () => {
    const inner: TableSchema = { type: 'object', properties: { a: { type: 'string' } } };
    const outer: TableSchema = {
      type: 'object',
      properties: { inner: { $ref: 'Inner', 'x-kubernetes-map-type': 'atomic' } },
    };
    const words = { Outer: { '': 'the outer', inner: 'as a field' }, Inner: { '': 'as a type', a: 'the a' } };
    expect(inline('Outer', { Outer: outer, Inner: inner }, words)).toEqual({
      description: 'the outer',
      type: 'object',
      properties: {
        inner: {
          type: 'object',
          'x-kubernetes-map-type': 'atomic',
          description: 'as a field',
          properties: { a: { type: 'string', description: 'the a' } },
        },
      },
    });
  });

  it('allows a type in two places, but not within itself', () => {
    const leaf: TableSchema = { type: 'object', properties: {} };
    const twice: TableSchema = { type: 'object', properties: { a: { $ref: 'Leaf' }, b: { $ref: 'Leaf' } } };
    expect(inline('Twice', { Twice: twice, Leaf: leaf }).properties).toHaveProperty('b');

    const tree: TableSchema = {
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: 'Node' } } },
    };
    expect(() =>
      inline('Tree', { Tree: { type: 'object', properties: { root: { $ref: 'Node' } } }, Node: tree }),
    ).toThrow(
      expect.objectContaining({
        reason: 'recursive',
        message: 'the type Node contains itself',
        path: ['Tree', 'root', 'Node', 'children', '[]', 'Node'],
      }),
    );
  });

  it('refuses a type that is not in the table', () => {
    expect(() => inline('No', {})).toThrow(expect.objectContaining({ reason: 'unknown', path: ['No'] }));
  });

  it('refuses a list whose key may be absent', () => {
    const item: TableSchema = { type: 'object', properties: { key: { type: 'string' } } };
    const list = (items: TableSchema): TableSchema => ({
      type: 'array',
      items,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['key'],
    });
    expect(() => inline('L', { L: list(item) })).toThrow(
      expect.objectContaining({ reason: 'not-structural' }),
    );
    expect(inline('L', { L: list({ ...item, required: ['key'] }) })).toBeDefined();
    expect(
      inline('L', { L: list({ ...item, properties: { key: { type: 'string', default: '' } } }) }),
    ).toBeDefined();
  });
});
