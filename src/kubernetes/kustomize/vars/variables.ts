import type { FieldSpec } from '../transform/field-spec.ts';
import type { Where } from '../../../base/errors/index.ts';

/** Fields in which variables are replaced. Source: kustomize `builtinpluginconsts/varreference.go`. */
export const variableSpecs: readonly FieldSpec[] = [
  ...['DaemonSet', 'Deployment', 'Job', 'ReplicaSet', 'StatefulSet'].flatMap((kind) =>
    inPod(kind, 'spec/template/spec/'),
  ),
  ...inPod('Pod', 'spec/'),
  ...inPod('CronJob', 'spec/jobTemplate/spec/template/spec/'),
  ...['DaemonSet', 'Deployment', 'Job', 'ReplicaSet'].map((kind) => ({
    path: 'spec/template/spec/volumes/nfs/server',
    kind,
  })),
  { path: 'spec/volumes/nfs/server', kind: 'Pod' },
  // kustomize's list contains this path, although Pods have no such field at this path.
  { path: 'spec/jobTemplate/spec/template/volumes/nfs/server', kind: 'CronJob' },
  { path: 'spec/volumeClaimTemplates/spec/nfs/server', kind: 'StatefulSet' },
  { path: 'spec/nfs/server', kind: 'PersistentVolume' },
  { path: 'spec/template/metadata/annotations', kind: 'Deployment' },
  ...['spec/rules/host', 'spec/tls/hosts', 'spec/tls/secretName'].map((path) => ({ path, kind: 'Ingress' })),
  ...['spec/ports/port', 'spec/ports/targetPort'].map((path) => ({ path, kind: 'Service' })),
  { path: 'metadata/labels' },
  { path: 'metadata/annotations' },
];

function inPod(kind: string, pod: string): readonly FieldSpec[] {
  return ['containers', 'initContainers'].flatMap((list) =>
    ['args', 'command', 'env/value', 'volumeMounts/mountPath'].map((field) => ({
      path: `${pod}${list}/${field}`,
      kind,
    })),
  );
}

/** Entry of `vars`. The entry names the field whose value replaces `$(NAME)`. */
export interface Variable {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly object: string;
  /** Namespace of the object that contains the field; `''` for any namespace. */
  readonly namespace: string;
  readonly fieldPath: string;
  readonly where: Where;
}
