import type { RefusalCase } from '../case.ts';
import { files, both, only, web, merge, pods } from './make-case.ts';

const hashed = (name: string, metadata: string): RefusalCase => ({
  name: `a patch that ${name} of a generated object`,
  kustomization: `configMapGenerator: [{name: a, literals: [b=c]}]\npatches: [{patch: "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, ${metadata}}}"}]\n`,
  refused: ['kustomize/patch-failed'],
  kustomize: { renders: 'without the hash, as it keeps the wish for one in an annotation' },
});

export const mergePatchRefusals: readonly RefusalCase[] = [
  hashed('removes the annotations', 'annotations: null'),
  hashed('replaces the annotations', 'annotations: {$patch: replace, d: e}'),
  hashed('replaces the metadata', '$patch: replace'),
  {
    name: 'a replacement of the annotations of a generated object',
    kustomization:
      'configMapGenerator: [{name: a, literals: [b=c], options: {labels: {d: e}}}]\nreplacements: [{source: {kind: ConfigMap, fieldPath: metadata.labels}, targets: [{select: {kind: ConfigMap}, fieldPaths: [metadata.annotations], options: {create: true}}]}]\n',
    refused: ['kustomize/replacement-failed'],
    kustomize: { renders: 'without the hash' },
  },
  both(
    'a patch for nobody',
    "patches:\n- patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: nobody}}'\n",
    'kustomize/no-target',
  ),
  both(
    'a patch for another namespace',
    "patches:\n- patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: x}}'\n",
    'kustomize/no-target',
  ),
  both(
    'a patch for another version',
    "patches:\n- patch: '{apiVersion: apps/v1beta1, kind: Deployment, metadata: {name: web}}'\n",
    'kustomize/no-target',
  ),
  both(
    'a patch without a name',
    "patches:\n- patch: '{apiVersion: apps/v1, kind: Deployment}'\n",
    'kustomize/invalid-patch',
  ),
  both(
    'a patch that is text',
    'patches:\n- patch: just text\n  target: {kind: Deployment}\n',
    'kustomize/invalid-patch',
  ),
  both('a patch that is no YAML', "patches:\n- patch: '{'\n", 'io/yaml-syntax'),
  both(
    'a target for several objects',
    `patches:\n- target: {kind: Deployment}\n  patch: |-\n    {${web}}\n    ---\n    {${web}}\n`,
    'kustomize/invalid-patch',
  ),
  both('an unknown directive', merge('spec: {$patch: keep}'), 'kustomize/patch-failed'),
  both('a list where a mapping is', merge('spec: {selector: [a]}'), 'kustomize/patch-failed'),
  both('a mapping where text is', pods('serviceAccountName: {a: b}'), 'kustomize/patch-failed'),
  both('text where a list is', pods('containers: none'), 'kustomize/patch-failed'),
  only(
    '$retainKeys',
    'copies the directive into the object',
    merge('spec: {strategy: {$retainKeys: [type], type: Recreate}}'),
    'kustomize/patch-failed',
  ),
  only(
    '$setElementOrder',
    'copies the directive into the object',
    pods('$setElementOrder/containers: [{name: sidecar}, {name: manager}]'),
    'kustomize/patch-failed',
  ),
  only(
    '$deleteFromPrimitiveList',
    'copies the directive into the object',
    merge('metadata: {name: web, $deleteFromPrimitiveList/finalizers: [a]}').replace(
      'metadata: {name: web}, ',
      '',
    ),
    'kustomize/patch-failed',
  ),
  only(
    'a directive in a list that is replaced',
    'copies the directive into the object',
    pods('tolerations: [{$patch: delete, key: a}]'),
    'kustomize/patch-failed',
  ),
  only(
    'a directive for a list that is not there',
    'copies the directive into the object',
    pods('hostAliases: [{$patch: replace}, {ip: 127.0.0.1}]'),
    'kustomize/patch-failed',
  ),
  only(
    '$patch: replace for a whole object',
    'ignores it',
    merge('$patch: replace'),
    'kustomize/patch-failed',
  ),
  only(
    'items without their key',
    'loses other items',
    pods('containers: [{image: x}]'),
    'kustomize/patch-failed',
  ),
  {
    ...both(
      'an empty file of patchesStrategicMerge',
      'patchesStrategicMerge: [patch.yaml]\n',
      'kustomize/invalid-patch',
    ),
    files: { ...files, 'patch.yaml': '# nothing\n' },
  },
  {
    ...both(
      'a JSON patch in patchesStrategicMerge',
      'patchesStrategicMerge: [patch.yaml]\n',
      'kustomize/invalid-patch',
    ),
    files: { ...files, 'patch.yaml': '- {op: remove, path: /spec}\n' },
  },
  both(
    'a name that is no pattern',
    "patches:\n- target: {name: '('}\n  patch: '- {op: remove, path: /spec}'\n",
    'kustomize/invalid-selector',
  ),
  both(
    'labels that are no selector',
    "patches:\n- target: {labelSelector: 'a=b=c'}\n  patch: '- {op: remove, path: /spec}'\n",
    'kustomize/invalid-selector',
  ),
  both('neither patch nor path', 'patches:\n- target: {kind: Deployment}\n', 'kustomize/invalid-value'),
  both('a file that is not there', 'patches:\n- path: nothing.yaml\n', 'kustomize/missing-file'),
  only(
    'a number in the place of a text',
    'makes a text of it only if the resource has quotes',
    pods('serviceAccountName: 7'),
    'kustomize/patch-failed',
  ),
  {
    name: 'a kind that Kubernetes has dropped',
    kustomization:
      "resources: [job.yaml]\npatches:\n- patch: '{apiVersion: events.k8s.io/v1beta1, kind: Event, metadata: {name: j}, note: x}'\n",
    files: { 'job.yaml': 'apiVersion: events.k8s.io/v1beta1\nkind: Event\nmetadata: {name: j}\n' },
    refused: ['kustomize/patch-failed'],
    kustomize: { renders: 'merges by the schemas of Kubernetes 1.21' },
  },
  both(
    'two resources of the same name by patches',
    "patches:\n- target: {kind: .*Map|Service}\n  options: {allowNameChange: true, allowKindChange: true}\n  patch: '{apiVersion: v1, kind: Same, metadata: {name: same}}'\n",
    'kustomize/duplicate-resource',
  ),
];
