import { describe, expect, test } from 'vitest';
import type { JSONSchemaProps } from '../../../../src/compiler/schema/index.ts';
import { finalCheck } from '../../../../src/compiler/schema/final-check.ts';
import type { Origin } from '../../../../src/compiler/schema/schema-node.ts';
import { schemaNode } from '../../../helpers/schema-nodes.ts';
import type { Doc, Problem, Tag } from '../../../../src/compiler/schema/shape.ts';

const tag = (name: string, text = ''): Tag => ({ name, text, file: undefined as never, position: 0 });

function originOf(label: string, tags: readonly Tag[], isComplete = true): Origin {
  const doc: Doc = { id: 0, label, kind: 'member', node: undefined as never, tags, problems: [], advice: [] };
  return { label, docTrail: [doc], docs: [doc], isComplete };
}

/** What is reported of a field's schema, `code: message`, and whether it is at a tag. */
function reported(
  field: JSONSchemaProps,
  tags: readonly Tag[] = [],
  inner: readonly (readonly [JSONSchemaProps, Origin])[] = [],
  isComplete = true,
): string[] {
  const found: string[] = [];
  const error = (problem: Problem): void => {
    found.push(`${problem.at === undefined ? '' : '@'}${problem.code}: ${problem.message}`);
  };
  const origins = new Map([[field, originOf('Spec.field', tags, isComplete)], ...inner]);
  const root: JSONSchemaProps = { type: 'object', properties: { field } };
  const originAt = (part: JSONSchemaProps) => (part === root ? originOf('Kind', []) : origins.get(part));
  finalCheck(root, schemaNode(root, originAt), { error });
  return found;
}

const text: JSONSchemaProps = { type: 'string' };

describe('who is to blame for what the API server would refuse', () => {
  test('nobody, if nothing is wrong', () => {
    expect(reported(text)).toEqual([]);
  });

  test('a tag with the name of the keyword', () => {
    expect(reported({ ...text, oneOf: [{ type: 'string' }] }, [tag('oneOf', '[]')])).toEqual([
      expect.stringMatching(/^@schema\/tag-value: Spec\.field: type is not allowed inside/),
    ]);
  });

  test('@k8s before a tag of the same name: it is merged last', () => {
    const tags = [tag('default', 'x'), tag('k8s', '{"default": 1}')];
    expect(reported({ ...text, default: 1 }, tags)).toEqual([expect.stringMatching(/^@schema\/k8s-tag: /)]);
  });

  test('the rule that is wrong, of several', () => {
    const rules = [{ rule: 'self != ""' }, { rule: 'self != "x"', fieldPath: '.y' }];
    const tags = rules.map((rule) => tag('cel', JSON.stringify(rule)));
    const [found] = reported({ ...text, 'x-kubernetes-validations': rules }, tags);
    expect(found).toContain('@schema/tag-value: Spec.field: fieldPath ".y"');
  });

  test('a list, for its items', () => {
    const items: JSONSchemaProps = { type: 'object', properties: { a: text } };
    const list: JSONSchemaProps = { type: 'array', items, 'x-kubernetes-list-type': 'set' };
    expect(reported(list, [], [[items, originOf('Item', [tag('k8s', '{}')])]])).toEqual([
      'schema/list-type: Spec.field: the items of a list of type set must be atomic',
    ]);
  });

  test('a type that is to be a resource, for its fields', () => {
    const kind: JSONSchemaProps = { type: 'integer' };
    const field: JSONSchemaProps = {
      type: 'object',
      properties: { kind },
      'x-kubernetes-embedded-resource': true,
    };
    expect(reported(field, [], [[kind, originOf('Spec.field.kind', [])]])).toEqual([
      'schema/utility-type: Spec.field: kind must be a string',
    ]);
  });

  test('op-sdk itself, if there is nobody else', () => {
    expect(reported({ type: 'array' })).toEqual([
      'schema/not-structural: Spec.field: the generated schema is not valid: an array needs items (at properties.field)',
    ]);
  });

  test('nobody, where something could not be expressed: that has been reported', () => {
    expect(reported({}, [], [], false)).toEqual([]);
  });
});
