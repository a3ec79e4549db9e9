import fc from 'fast-check';
import type { Tree } from './oracle.ts';

const objects = `apiVersion: apps/v1
kind: Deployment
metadata: {name: a}
spec: {selector: {matchLabels: {x: q}}, template: {metadata: {labels: {x: q}, annotations: {note: z}}}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: a}
spec: {jobTemplate: {spec: {template: {metadata: {labels: {z: z}}}}}}
---
apiVersion: v1
kind: Service
metadata: {name: a, labels: {app: own}}
spec: {selector: {x: q}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: a}
spec: {volumeClaimTemplates: [{metadata: {name: v}}, {metadata: {name: w, labels: {tier: k}}}], template: {spec: {}}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: a}
spec: {podSelector: {matchLabels: {}}, ingress: [{from: [{podSelector: {matchLabels: {x: q}}}]}]}
`;

const key = fc.constantFrom('app', 'tier', 'x');
const text = fc.constantFrom('a', 'b', 'c', 'd');
const pairs = fc.dictionary(key, text, { minKeys: 1, maxKeys: 2 });
const some = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });
const oneOrTwo = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[] | undefined> =>
  some(fc.array(item, { minLength: 1, maxLength: 2 }));

const labels = fc
  .tuple(pairs, fc.constantFrom({}, { includeSelectors: true }, { includeTemplates: true }))
  .map(([pairs, how]) => ({ pairs, ...how }));

/** What a patch says of labels or annotations; null removes. */
const patched = fc.dictionary(
  key,
  fc.oneof({ arbitrary: text, weight: 5 }, { arbitrary: fc.constant(null), weight: 1 }),
  { minKeys: 1, maxKeys: 2 },
);
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment' };
const mergePatch = fc
  .tuple(patched, patched)
  .chain(([one, other]) =>
    fc.constantFrom(
      { ...deployment, metadata: { name: 'a', labels: one } },
      { ...deployment, metadata: { name: 'a', annotations: one } },
      { ...deployment, metadata: { name: 'a' }, spec: { selector: { matchLabels: one } } },
      { ...deployment, metadata: { name: 'a', labels: one }, spec: { selector: { matchLabels: other } } },
      {
        ...deployment,
        metadata: { name: 'a' },
        spec: { template: { metadata: { labels: one, annotations: other } } },
      },
      {
        ...deployment,
        metadata: { name: 'a' },
        spec: { template: { metadata: { labels: { $patch: 'replace', ...one } } } },
      },
      {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name: 'a' },
        spec: { jobTemplate: { metadata: { annotations: one } } },
      },
      { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { selector: one } },
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'NetworkPolicy',
        metadata: { name: 'a' },
        spec: { podSelector: { matchLabels: one } },
      },
    ),
  )
  .map((patch) => ({ patch: JSON.stringify(patch) }));
const jsonPatch = fc.tuple(pairs, fc.constantFrom('Deployment', 'Service')).map(([value, kind]) => ({
  target: { kind },
  patch: JSON.stringify([{ op: 'add', path: '/metadata/labels', value }]),
}));
const paths = [
  'metadata.labels',
  'metadata.annotations',
  'spec.selector.matchLabels',
  'spec.template.metadata.labels',
];
const replacement = fc
  .tuple(text, fc.constantFrom(...paths), key, fc.constantFrom({}, { delimiter: '-', index: 1 }))
  .map(([sourceValue, path, key, part]) => ({
    sourceValue,
    targets: [
      { select: { kind: 'Deployment' }, fieldPaths: [`${path}.${key}`], options: { create: true, ...part } },
    ],
  }));

const layer = fc.record({
  namePrefix: some(fc.constant('p-')),
  namespace: some(fc.constant('ns')),
  labels: oneOrTwo(labels),
  commonLabels: some(pairs),
  commonAnnotations: some(pairs),
  patches: oneOrTwo(fc.oneof({ arbitrary: mergePatch, weight: 2 }, { arbitrary: jsonPatch, weight: 1 })),
  replacements: oneOrTwo(replacement),
});
const notes = fc.constantFrom(
  [],
  ['transformerAnnotations'],
  ['originAnnotations', 'transformerAnnotations'],
);

/** A base with labels and annotations, and up to three overlays that change them. */
export const randomOverlays: fc.Arbitrary<Tree> = fc
  .tuple(fc.array(layer, { minLength: 2, maxLength: 4 }), notes)
  .map(([layers, buildMetadata]) => {
    const last = layers.length - 1;
    const kustomizations = layers.map((fields, index) => {
      const below = index === 0 ? 'objects.yaml' : `../l${index - 1}`;
      const own = { resources: [below], ...fields, ...(index === last ? { buildMetadata } : {}) };
      return [`l${index}/kustomization.yaml`, JSON.stringify(own)] as const;
    });
    return {
      folder: `l${last}`,
      files: {
        'l0/objects.yaml': objects,
        ...(Object.fromEntries(kustomizations) as Record<string, string>),
      },
    };
  });
