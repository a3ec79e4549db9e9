import type { Binary, NodeBinary } from './binaries.ts';
import { WayFailed } from './way-failed.ts';

/** The parts of the go.mod of k8s.io/kubernetes that a build outside of its repository needs. */
export interface KubernetesModule {
  /** The language version, such as `1.26.0`. */
  readonly go: string;
  /** Modules that live in its repository, such as `k8s.io/api`. */
  readonly staging: readonly string[];
  /** The version of `go.etcd.io/etcd/server/v3` that it is tested with. */
  readonly etcd: string;
}

/** @throws WayFailed if one of the parts is missing */
export function readKubernetesModule(goMod: string): KubernetesModule {
  const go = /^go (\S+)$/m.exec(goMod)?.[1];
  const etcd = /^\s*(?:require )?go\.etcd\.io\/etcd\/server\/v3 (v\S+)/m.exec(goMod)?.[1];
  const staging = [...goMod.matchAll(/^\s*(?:replace )?(k8s\.io\/\S+) => \.\/staging\/src\//gm)].map(
    ([, path = '']) => path,
  );
  if (go === undefined || etcd === undefined || staging.length === 0) {
    throw new WayFailed('the go.mod of k8s.io/kubernetes has another form than op-sdk knows');
  }
  return { go, etcd, staging };
}

/**
 * A module from which etcd and the Kubernetes programs can be built. `k8s.io/kubernetes` itself says where its staging
 * modules are inside its repository, which means nothing outside of it; their published versions are v0.X.Y for v1.X.Y.
 * @param version such as `1.36.3`
 */
export function buildModule(version: string, kubernetes: KubernetesModule): string {
  const staged = `v0.${version.split('.').slice(1).join('.')}`;
  return [
    'module opsdk.dev/testenv',
    '',
    `go ${kubernetes.go}`,
    '',
    'require (',
    `\tgo.etcd.io/etcd/server/v3 ${kubernetes.etcd}`,
    `\tk8s.io/kubernetes v${version}`,
    ')',
    '',
    'replace (',
    ...kubernetes.staging.map((path) => `\t${path} => ${path} ${staged}`),
    ')',
    '',
  ].join('\n');
}

const packages: Readonly<Record<Binary | NodeBinary, string>> = {
  etcd: 'go.etcd.io/etcd/server/v3',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
  kubelet: 'k8s.io/kubernetes/cmd/kubelet',
  'kube-scheduler': 'k8s.io/kubernetes/cmd/kube-scheduler',
  'kube-proxy': 'k8s.io/kubernetes/cmd/kube-proxy',
};

/** The arguments of `go` that build a program. */
export function buildArguments(
  binary: Binary | NodeBinary,
  version: string,
  output: string,
): readonly string[] {
  const [major = '', minor = ''] = version.split('.');
  const stamp = (name: string, value: string): string => `-X k8s.io/component-base/version.${name}=${value}`;
  const stamps = [stamp('gitVersion', `v${version}`), stamp('gitMajor', major), stamp('gitMinor', minor)];
  const linker = ['-s', '-w', ...(binary === 'etcd' ? [] : stamps)].join(' ');
  return [
    'build',
    '-mod=mod',
    '-trimpath',
    '-buildvcs=false',
    `-ldflags=${linker}`,
    '-o',
    output,
    packages[binary],
  ];
}
