import type { RefusalCase } from '../case.ts';

const binding = (subjects: string): string =>
  `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: b, namespace: team}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}
subjects: [${subjects}]
`;

export const accountRefusals: readonly RefusalCase[] = [
  ['', 'a ServiceAccount with a blank namespace, though no name changes'],
  ['null', 'a ServiceAccount whose namespace is null'],
  ['5', 'a ServiceAccount whose namespace is a number'],
].map(([namespace = '', name = '']) => ({
  name,
  kustomization: `resources: [b.yaml]\n${namespace === '' ? '' : 'namePrefix: x-\n'}`,
  files: { 'b.yaml': binding(`{kind: ServiceAccount, name: a, namespace: ${namespace} }`) },
  refused: ['kustomize/unexpected-shape'],
  kustomize: 'refuses',
}));
