import { expect, test } from 'vitest';
import { buildArguments, buildModule, readKubernetesModule } from '../../../src/testing/assets/go-build.ts';

// The form of the go.mod of k8s.io/kubernetes: blocks, comments, indirect requirements, both kinds of replacements.
const goMod = `// This is a generated file. Do not edit directly.
module k8s.io/kubernetes

go 1.26.0

godebug default=go1.26

require (
	go.etcd.io/etcd/api/v3 v3.6.8
	k8s.io/api v0.0.0
	k8s.io/klog/v2 v2.140.0
)

require (
	go.etcd.io/etcd/pkg/v3 v3.6.8 // indirect
	go.etcd.io/etcd/server/v3 v3.6.8 // indirect
)

replace (
	k8s.io/api => ./staging/src/k8s.io/api
	k8s.io/sample-controller => ./staging/src/k8s.io/sample-controller
)
`;

test('the build module pins what the repository of Kubernetes holds to the published version', () => {
  expect(buildModule('1.36.3', readKubernetesModule(goMod))).toBe(`module opsdk.dev/testenv

go 1.26.0

require (
	go.etcd.io/etcd/server/v3 v3.6.8
	k8s.io/kubernetes v1.36.3
)

replace (
	k8s.io/api => k8s.io/api v0.36.3
	k8s.io/sample-controller => k8s.io/sample-controller v0.36.3
)
`);
});

test('the programs of a node are built with the flags of the API server, so that Go compiles only once what they share', () => {
  const flags = (binary: 'kubelet' | 'kube-apiserver'): readonly string[] =>
    buildArguments(binary, '1.36.3', 'out').slice(0, -1);
  expect(flags('kubelet')).toEqual(flags('kube-apiserver'));
  expect(buildArguments('kubelet', '1.36.3', 'out').at(-1)).toBe('k8s.io/kubernetes/cmd/kubelet');
});

test.each([
  ['no etcd', goMod.replace(/.*etcd\/server.*/, '')],
  ['no staging modules', goMod.replace(/^replace[^]*/m, '')],
  ['no Go version', goMod.replace(/^go .*/m, '')],
])('a go.mod with %s is refused', (_name, text) => {
  expect(() => readKubernetesModule(text)).toThrow('has another form than op-sdk knows');
});
