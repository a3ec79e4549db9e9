import type { Finding, FindingList } from '../../errors/index.ts';
import type { JSONSchemaProps } from '../../schema/index.ts';
import { closestName } from '../../util/closest-name.ts';
import { parseJsonPath, type PathStep } from './json-path.ts';
import type { ColumnDeclaration, KindWithSchema } from './kind-version.ts';

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

/**
 * Checks that every printer column leads to a field of the schema: the API server accepts any path and shows an empty column.
 * @returns warnings: columns whose type is not that of their field
 */
export function checkColumns(findings: FindingList, kind: KindWithSchema): readonly Finding[] {
  const root: JSONSchemaProps = { ...kind.schema, properties: { ...kind.schema.properties, metadata } };
  checkDuplicates(findings, kind.columns);
  return kind.columns.flatMap((column) => {
    const steps = parseJsonPath(column.jsonPath.value);
    const reached = typeof steps === 'string' ? steps : follow(root, steps, '');
    if (typeof reached !== 'string') return typeWarning(column, reached);
    findings.add({
      code: 'manifests/invalid-printer-column',
      message: `the path ${column.jsonPath.value} of the printer column '${column.name}' is not valid: ${reached}`,
      where: column.jsonPath.place,
      fix: ['name a field of the interface, such as .spec.replicas'],
    });
    return [];
  });
}

function checkDuplicates(findings: FindingList, columns: readonly ColumnDeclaration[]): void {
  for (const [index, { name, place }] of columns.entries()) {
    if (!columns.slice(0, index).some((column) => column.name === name)) continue;
    findings.add({
      code: 'manifests/invalid-printer-column',
      message: `there are two printer columns named '${name}'`,
      where: place,
      fix: ['remove one of them, or give it another name'],
    });
  }
}

/** The schema that a path leads to (an empty one where anything may stand), or what is wrong. */
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
  return `there is no field ${path}${closest === undefined ? '' : `; did you mean ${at}.${closest}?`}`;
}

function typeWarning(column: ColumnDeclaration, field: JSONSchemaProps): readonly Finding[] {
  const { type } = field;
  // Without a type nothing is known; as a string kubectl prints anything.
  if (type === undefined || column.type === 'string') return [];
  const fits =
    column.type === type ||
    (column.type === 'number' && type === 'integer') ||
    (column.type === 'date' && type === 'string');
  if (fits) return [];
  return [
    {
      code: 'manifests/printer-column-type',
      message: `the printer column '${column.name}' has type ${column.type}, but ${column.jsonPath.value} is of type ${type}: kubectl will not show it`,
      where: column.place,
      fix: [`write \`type: '${['integer', 'number', 'boolean'].includes(type) ? type : 'string'}'\``],
    },
  ];
}
