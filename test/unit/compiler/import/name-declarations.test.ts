import { describe, expect, it } from 'vitest';
import type { JSONSchemaProps } from '../../../../src/compiler/schema/index.ts';
import { specOf, textOf } from './crd-fixture.ts';

const text: JSONSchemaProps = { type: 'string' };
const object = (properties: Readonly<Record<string, JSONSchemaProps>>): JSONSchemaProps => ({
  type: 'object',
  properties,
});

/** The names of the interfaces, in their order. */
function namesOf(spec: JSONSchemaProps): readonly string[] {
  return [...textOf(specOf(spec)).matchAll(/^export interface (\w+)/gm)].map(([, name = '']) => name);
}

describe('the names of types', () => {
  it('are the last words of the way to them, in the order of the schema', () => {
    const spec = object({ server: object({ tls: object({ a: text }) }), clients: object({ b: text }) });
    expect(namesOf(spec)).toEqual(['Sample0Spec', 'Server', 'Tls', 'Clients', 'Sample0']);
  });

  it('have the word before where two would be the same, and no number', () => {
    const spec = object({
      server: object({ tls: object({ a: text }) }),
      peer: object({ tls: object({ b: text }) }),
    });
    expect(namesOf(spec)).toEqual(['Sample0Spec', 'Server', 'ServerTls', 'Peer', 'PeerTls', 'Sample0']);
  });

  it('have a number where the whole ways are the same', () => {
    const spec = object({ 'a-b': object({ a: text }), a_b: object({ b: text }) });
    expect(namesOf(spec)).toEqual(['Sample0Spec', 'Sample0SpecAB', 'Sample0SpecAB2', 'Sample0']);
  });

  it('have the word before where one word says nothing, or is a built-in kind or type', () => {
    const spec = object({ job: object({ template: object({ a: text }) }), map: object({ b: text }) });
    expect(namesOf(spec)).toEqual(['Sample0Spec', 'SpecJob', 'JobTemplate', 'SpecMap', 'Sample0']);
  });

  it('have the word before where readers would take them for a type of the package or of the language', () => {
    const words = [
      'cluster',
      'client',
      'manager',
      'logger',
      'reader',
      'request',
      'headers',
      'iterable',
      'intl',
    ];
    const spec = object(
      Object.fromEntries(words.map((word, index) => [word, object({ [`field${index}`]: text })])),
    );
    expect(namesOf(spec)).toEqual([
      'Sample0Spec',
      ...words.map((word) => `Spec${word.charAt(0).toUpperCase()}${word.slice(1)}`),
      'Sample0',
    ]);
  });

  it('never begin with a digit', () => {
    expect(namesOf(object({ '3scale': object({ a: text }) }))).toContain('Spec3scale');
  });
});

describe('a type of Kubernetes', () => {
  const requirement = object({ key: text, operator: text, values: { type: 'array', items: text } });
  const described = (schema: JSONSchemaProps): JSONSchemaProps => ({ ...schema, description: 'Words.' });

  it('gives its name to what has its fields, whatever else the schema says', () => {
    const selector = object({
      matchExpressions: { type: 'array', items: described(requirement) },
      matchLabels: { type: 'object', additionalProperties: text, description: 'Labels.' },
    });
    expect(namesOf(object({ which: described(selector) }))).toEqual([
      'Sample0Spec',
      'LabelSelector',
      'LabelSelectorRequirement',
      'Sample0',
    ]);
  });

  it('is recognised in the form of an earlier release', () => {
    const term = object({
      labelSelector: object({ matchLabels: { type: 'object', additionalProperties: text } }),
      namespaceSelector: object({ matchLabels: { type: 'object', additionalProperties: text } }),
      namespaces: { type: 'array', items: text },
      topologyKey: text,
    });
    expect(namesOf(object({ term }))).toContain('PodAffinityTerm');
  });

  it('is not seen in an object whose fields only have the same names', () => {
    const selector = object({ matchExpressions: text, matchLabels: text, more: text });
    expect(namesOf(object({ which: selector }))).toContain('Which');
    const other = object({ matchExpressions: object({ a: text, b: text }), matchLabels: text });
    expect(namesOf(object({ which: other }))).toContain('Which');
  });

  it('keeps its name for the import where the file has both', () => {
    const exact = object({
      matchExpressions: {
        type: 'array',
        'x-kubernetes-list-type': 'atomic',
        items: {
          ...object({
            key: text,
            operator: text,
            values: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: text },
          }),
          required: ['key', 'operator'],
        },
      },
      matchLabels: { type: 'object', additionalProperties: text },
    });
    const spec = object({
      which: { ...exact, 'x-kubernetes-map-type': 'atomic' },
      almost: { ...exact, maxProperties: 3 },
    });
    const printed = textOf(specOf(spec));
    expect(printed).toContain('which?: LabelSelector;');
    expect(printed).toContain('almost?: SpecLabelSelector;');
  });
});
