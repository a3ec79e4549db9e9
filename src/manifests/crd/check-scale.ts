import type { Finding, FindingList } from '../../errors/index.ts';
import { followSteps } from './follow-path.ts';
import type { KindWithSchema, ScalePaths } from './kind-version.ts';

/** What the API server demands of a path. Source: apiextensions `ValidateCustomResourceDefinitionSubresources`. */
const parts = [
  { name: 'spec', below: ['.spec.'], type: 'integer' },
  { name: 'status', below: ['.status.'], type: 'integer' },
  { name: 'selector', below: ['.status.', '.spec.'], type: 'string' },
] as const satisfies readonly {
  readonly name: keyof ScalePaths;
  readonly below: readonly string[];
  readonly type: string;
}[];

/**
 * Checks the scale subresource of a version.
 * @returns warnings: paths that lead to no field, or to one of another type. The API server takes them; scaling then fails.
 */
export function checkScale(
  findings: FindingList,
  { scale, schema, place }: KindWithSchema,
): readonly Finding[] {
  if (scale === undefined) return [];
  for (const [name, other] of [
    ['spec', scale.status ?? scale.selector],
    ['status', scale.spec ?? scale.selector],
  ] as const) {
    // Without both, the property of defineResource has its finding already.
    if (scale[name] !== undefined || other === undefined) continue;
    findings.add({
      code: 'manifests/invalid-scale',
      message: `the scale subresource has no path for ${name}`,
      where: other.place ?? place,
      fix: [`put \`@scale ${name}\` on the integer below .${name}, or say \`scale\` in defineResource`],
    });
  }
  return parts.flatMap(({ name, below, type }): readonly Finding[] => {
    const path = scale[name];
    if (path === undefined) return [];
    const { value, place: where } = path;
    // Of the selector, an empty path is none.
    if (name === 'selector' && value === '') return [];
    if (!below.some((prefix) => value.startsWith(prefix))) {
      findings.add({
        code: 'manifests/invalid-scale',
        message: `the ${name} path '${value}' of the scale subresource is not below ${below.map((prefix) => prefix.slice(0, -1)).join(' or ')}`,
        where,
        fix: [`name a field such as ${below[0]}${name === 'selector' ? 'selector' : 'replicas'}`],
      });
      return [];
    }
    const steps = value
      .slice(1)
      .split('.')
      .map((field) => ({ type: 'field', name: field }) as const);
    const reached = followSteps(schema, steps);
    const lost = typeof reached === 'string' ? reached : undefined;
    const actual = typeof reached === 'string' ? undefined : reached.type;
    if (lost === undefined && (actual === undefined || actual === type)) return [];
    return [
      {
        code: 'manifests/scale-path',
        message: `the ${name} path ${value} of the scale subresource will not work: ${lost ?? `the field is of type ${actual}, not ${type}`}`,
        where,
        fix: [name === 'selector' ? 'name a string that holds the label selector' : 'name an Int32 field'],
      },
    ];
  });
}
