import type { JSONSchemaProps } from '../json-schema-props.ts';
import { closestName } from '../../../base/util/closest-name.ts';
import type { PathStep } from './json-path.ts';

/** Fields of ObjectMeta, which the schema of a CRD does not list. Source: apimachinery `metav1.ObjectMeta`. */
const metadata: JSONSchemaProps = {
  type: 'object',
  properties: {
    ...Object.fromEntries(
      ['name', 'generateName', 'namespace', 'selfLink', 'uid', 'resourceVersion'].map(
        (name) => [name, { type: 'string' }] as const,
      ),
    ),
    generation: { type: 'integer' },
    deletionGracePeriodSeconds: { type: 'integer' },
    creationTimestamp: { type: 'string', format: 'date-time' },
    deletionTimestamp: { type: 'string', format: 'date-time' },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    annotations: { type: 'object', additionalProperties: { type: 'string' } },
    finalizers: { type: 'array', items: { type: 'string' } },
    ownerReferences: {
      type: 'array',
      items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
    managedFields: { type: 'array', items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  },
};

/** The schema that a path leads to (an empty one where anything may stand), or why it leads nowhere. */
export function followSteps(schema: JSONSchemaProps, steps: readonly PathStep[]): JSONSchemaProps | string {
  return follow({ ...schema, properties: { ...schema.properties, metadata } }, steps, '');
}

function follow(node: JSONSchemaProps, steps: readonly PathStep[], at: string): JSONSchemaProps | string {
  const [step, ...rest] = steps;
  if (step === undefined) return node;
  if (step.type === 'descendants' || node['x-kubernetes-embedded-resource'] === true) return {};
  const open = node['x-kubernetes-preserve-unknown-fields'] === true || node.additionalProperties === true;
  const values = typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined;
  if (step.type === 'items') {
    const items = node.items ?? (step.any ? values : undefined);
    if (items !== undefined) return follow(items, rest, `${at}[]`);
    return open ? {} : `${at === '' ? 'the object' : at} is not a list`;
  }
  const path = `${at}.${step.name}`;
  const next =
    (Object.hasOwn(node.properties ?? {}, step.name) ? node.properties?.[step.name] : undefined) ?? values;
  if (next !== undefined) return follow(next, rest, path);
  if (open) return {};
  if (node.type === 'array') return `${at} is a list; name an item, as in ${at}[0].${step.name}`;
  const closest = closestName(step.name, Object.keys(node.properties ?? {}));
  return `unknown field ${path}${closest === undefined ? '' : `; did you mean ${at}.${closest}?`}`;
}
