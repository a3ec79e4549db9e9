import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toYaml } from '../../../src/kubernetes/yaml/to-yaml.ts';
import { addresses, type BedNode } from './addresses.ts';
import type { Credentials } from './credentials.ts';

/** The image that holds a Pod's namespaces. */
export const pauseImage = `${addresses.registry}/bed/pause:1`;

/**
 * Writes the configuration of containerd, its networks and the kubelet.
 * @param folder of the node
 * @returns the paths that their flags need
 */
export function writeNodeFiles(
  folder: string,
  node: BedNode,
  { file }: Pick<Credentials, 'file'>,
): { readonly containerd: string; readonly containerdSocket: string; readonly kubelet: string } {
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const mirror = `[host."http://${addresses.registryHost}"]\n  capabilities = ["pull", "resolve"]\n`;
  // Whatever registry a Pod names, its image comes from ours.
  write('registries/_default/hosts.toml', mirror);
  write(
    `registries/${addresses.registry}/hosts.toml`,
    `server = "http://${addresses.registryHost}"\n\n${mirror}`,
  );
  write('cni/10-bed.conflist', JSON.stringify(podNetwork(folder, node), undefined, 2));
  write('resolv.conf', '# There is no name server but that of the cluster.\n');
  const containerdSocket = join(folder, 'containerd.sock');
  return {
    containerdSocket,
    containerd: write('containerd.toml', containerdConfig(folder, containerdSocket)),
    kubelet: write('kubelet.yaml', toYaml(kubeletConfig(folder, node, file))),
  };
}

/** For containerd 1.6. @see https://github.com/containerd/containerd/blob/release/1.6/docs/cri/config.md */
function containerdConfig(folder: string, socket: string): string {
  return `version = 2
root = "${folder}/containerd"
state = "${folder}/containerd-state"

[grpc]
  address = "${socket}"

[plugins."io.containerd.internal.v1.opt"]
  path = "${folder}/containerd-opt"

[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  # Nobody here may lower the score of a process.
  restrict_oom_score_adj = true

  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${folder}/cni"

  [plugins."io.containerd.grpc.v1.cri".registry]
    config_path = "${folder}/registries"
`;
}

/**
 * A route for each Pod, not a bridge: what a Pod sends to the address of a Service and its answer both pass the node, whatever the kernel
 * does with packets on bridges.
 */
function podNetwork(folder: string, { pods }: BedNode): object {
  return {
    cniVersion: '1.0.0',
    name: 'pods',
    plugins: [
      {
        type: 'ptp',
        ipMasq: false,
        ipam: {
          type: 'host-local',
          ranges: [[{ subnet: pods }]],
          routes: [{ dst: '0.0.0.0/0' }],
          dataDir: join(folder, 'pod-addresses'),
        },
      },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  };
}

function kubeletConfig(
  folder: string,
  { name }: BedNode,
  file: Credentials['file'],
): Readonly<Record<string, unknown>> {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    authentication: { anonymous: { enabled: false }, x509: { clientCAFile: file('ca.crt') } },
    authorization: { mode: 'Webhook' },
    tlsCertFile: file(`${name}.crt`),
    tlsPrivateKeyFile: file(`${name}.key`),
    containerRuntimeEndpoint: `unix://${join(folder, 'containerd.sock')}`,
    failCgroupV1: false,
    cgroupDriver: 'cgroupfs',
    enforceNodeAllocatable: [],
    makeIPTablesUtilChains: false,
    readOnlyPort: 0,
    evictionHard: { 'memory.available': '100Mi' },
    imageGCHighThresholdPercent: 100,
    volumePluginDir: join(folder, 'volume-plugins'),
    resolvConf: join(folder, 'resolv.conf'),
    clusterDNS: [addresses.dns],
    clusterDomain: 'cluster.local',
  };
}
