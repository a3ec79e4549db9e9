import fc from 'fast-check';
import { toYaml } from '../../../src/kubernetes/yaml/to-yaml.ts';
import type { Tree } from './oracle.ts';

type Fields = Record<string, unknown>;

const scalar = fc.oneof(
  { arbitrary: fc.constantFrom('a', 'b', 'c', 'x-1', '1', 'true', ''), weight: 20 },
  { arbitrary: fc.integer({ min: -2, max: 9 }), weight: 1 },
  { arbitrary: fc.boolean(), weight: 1 },
);
const name = fc.constantFrom('a', 'b', 'c', 'd');
const port = fc.constantFrom(80, 443, 53);

/** Fields of which any may be missing. */
const some = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Fields> =>
  fc.record(fields, { requiredKeys: [] });
const list = (item: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => fc.array(item, { maxLength: 4 });

/** Items with these keys and other fields; in a patch some say what is to be done with them. */
function items(
  keys: Record<string, fc.Arbitrary<unknown>>,
  rest: Record<string, fc.Arbitrary<unknown>>,
  isPatch: boolean,
): fc.Arbitrary<unknown> {
  const item = fc.tuple(fc.record(keys), some(rest)).map(([key, more]) => ({ ...key, ...more }));
  if (!isPatch) return list(item);
  const directed = fc
    .tuple(item, fc.constantFrom('delete', 'replace', 'merge'))
    .map(([fields, $patch]) => ({ ...fields, $patch }));
  const items = fc.array(fc.oneof({ arbitrary: item, weight: 4 }, { arbitrary: directed, weight: 1 }), {
    maxLength: 4,
  });
  const whole = fc.constantFrom({ $patch: 'replace' }, { $patch: 'delete' });
  return fc.oneof(
    { arbitrary: items, weight: 8 },
    { arbitrary: fc.tuple(whole, items).map(([first, more]) => [first, ...more]), weight: 1 },
    { arbitrary: fc.constant(null), weight: 1 },
  );
}

function podSpec(isPatch: boolean): fc.Arbitrary<Fields> {
  const container = {
    image: scalar,
    args: list(scalar),
    env: items({ name }, { value: scalar }, isPatch),
    ports: fc.oneof(
      items({ containerPort: port }, { name: scalar, hostPort: port }, isPatch),
      items({ containerPort: port, protocol: fc.constantFrom('TCP', 'UDP') }, { name: scalar }, isPatch),
      items({ containerPort: port }, { protocol: fc.constantFrom('TCP', 'UDP'), name: scalar }, isPatch),
    ),
    resources: mapping(isPatch),
  };
  return some({
    containers: items({ name }, container, isPatch),
    volumes: items({ name }, { emptyDir: mapping(isPatch) }, isPatch),
    tolerations: list(fc.record({ key: name })),
    hostAliases: items({ ip: name }, { hostnames: list(scalar) }, isPatch),
    nodeSelector: mapping(isPatch),
    affinity: mapping(isPatch),
    priority: isPatch ? fc.option(scalar) : scalar,
  });
}

function mapping(isPatch: boolean): fc.Arbitrary<unknown> {
  const value = isPatch ? fc.oneof(scalar, fc.constant(null)) : scalar;
  const fields = some({ k: value, l: value, m: some({ deep: value }) });
  if (!isPatch) return fields;
  const directed = fc
    .tuple(fields, fc.constantFrom('delete', 'replace', 'merge'))
    .map(([inner, $patch]) => ({ ...inner, $patch }));
  return fc.oneof(
    { arbitrary: fields, weight: 5 },
    { arbitrary: directed, weight: 1 },
    { arbitrary: fc.constant(null), weight: 1 },
  );
}

const finalizers = fc.uniqueArray(fc.constantFrom('x.io/a', 'x.io/b', 'x.io/c'), { maxLength: 3 });

function object(head: Fields, spec: fc.Arbitrary<unknown>): fc.Arbitrary<Fields> {
  return fc
    .tuple(spec, fc.option(finalizers, { nil: undefined }))
    .map(([spec, finalizers]) => ({ ...head, metadata: { name: 'web', finalizers }, spec }));
}

/** A resource and a strategic merge patch for it: a Pod, a Service or a custom resource. */
export const randomPatch: fc.Arbitrary<Tree> = fc
  .constantFrom(
    [{ apiVersion: 'v1', kind: 'Pod' }, podSpec] as const,
    [{ apiVersion: 'x.io/v1', kind: 'Custom' }, podSpec] as const,
    [
      { apiVersion: 'v1', kind: 'Service' },
      (isPatch: boolean) =>
        some({
          selector: mapping(isPatch),
          ports: fc.oneof(
            items({ port }, { name: scalar, targetPort: scalar }, isPatch),
            items({ port, protocol: fc.constantFrom('TCP', 'UDP') }, { name: scalar }, isPatch),
            items({ port }, { protocol: fc.constantFrom('TCP', 'UDP') }, isPatch),
          ),
        }),
    ] as const,
  )
  .chain(([head, spec]) => fc.tuple(object(head, spec(false)), object(head, spec(true))))
  .map(([resource, patch]) => ({
    files: {
      'kustomization.yaml': 'resources: [resource.yaml]\npatches: [{path: patch.yaml}]\n',
      'resource.yaml': toYaml(resource),
      'patch.yaml': toYaml(patch),
    },
  }));
