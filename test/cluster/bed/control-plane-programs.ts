import { join } from 'node:path';
import { addresses, firstNode, type BedNode } from './addresses.ts';
import { auditFlags } from './audit.ts';
import type { Credentials } from './credentials.ts';
import { supervise, type Supervised } from './supervised.ts';

export interface ProgramFolders {
  /** The bed's. */
  readonly folder: string;
  /** With etcd, kube-apiserver and kube-controller-manager. */
  readonly controlPlane: string;
  /** With kubelet, kube-scheduler and kube-proxy. */
  readonly node: string;
  /** With coredns. */
  readonly dns: string;
}

/** Starts etcd and the API server: with the Node authorizer and all admission plug-ins that are on by default. */
export function startApiServer(folders: ProgramFolders, { file }: Credentials): readonly Supervised[] {
  const { folder, controlPlane } = folders;
  const etcd = supervise({
    folder,
    name: 'etcd',
    command: join(controlPlane, 'etcd'),
    args: [
      `--data-dir=${join(folder, 'etcd')}`,
      `--listen-client-urls=${addresses.etcd}`,
      `--advertise-client-urls=${addresses.etcd}`,
      '--listen-peer-urls=http://127.0.0.1:0',
      '--unsafe-no-fsync',
      '--log-level=warn',
    ],
  });
  const apiServer = supervise({
    folder,
    name: 'kube-apiserver',
    command: join(controlPlane, 'kube-apiserver'),
    args: [
      '--bind-address=0.0.0.0',
      '--secure-port=6443',
      `--advertise-address=${addresses.node}`,
      `--etcd-servers=${addresses.etcd}`,
      `--cert-dir=${join(folder, 'pki')}`,
      `--tls-cert-file=${file('apiserver.crt')}`,
      `--tls-private-key-file=${file('apiserver.key')}`,
      `--client-ca-file=${file('ca.crt')}`,
      `--kubelet-client-certificate=${file('apiserver-kubelet.crt')}`,
      `--kubelet-client-key=${file('apiserver-kubelet.key')}`,
      `--kubelet-certificate-authority=${file('ca.crt')}`,
      '--kubelet-preferred-address-types=InternalIP',
      '--authorization-mode=Node,RBAC',
      '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
      `--service-account-key-file=${file('service-account.pub')}`,
      `--service-account-signing-key-file=${file('service-account.key')}`,
      `--service-cluster-ip-range=${addresses.services}`,
      '--allow-privileged=true',
      '--enable-aggregator-routing=true',
      ...auditFlags(folder),
    ],
  });
  return [etcd, apiServer];
}

/** Starts the programs that work by the API server. It must be ready. */
export function startControllers(folders: ProgramFolders, { file }: Credentials): readonly Supervised[] {
  const { folder, controlPlane, node } = folders;
  const controllerManager = supervise({
    folder,
    name: 'kube-controller-manager',
    command: join(controlPlane, 'kube-controller-manager'),
    args: [
      `--kubeconfig=${file('controller-manager.kubeconfig')}`,
      '--bind-address=127.0.0.1',
      '--secure-port=0',
      '--leader-elect=false',
      `--service-account-private-key-file=${file('service-account.key')}`,
      `--root-ca-file=${file('ca.crt')}`,
      `--cluster-signing-cert-file=${file('ca.crt')}`,
      `--cluster-signing-key-file=${file('ca.key')}`,
      '--use-service-account-credentials=true',
    ],
  });
  const scheduler = supervise({
    folder,
    name: 'kube-scheduler',
    command: join(node, 'kube-scheduler'),
    args: [
      `--kubeconfig=${file('scheduler.kubeconfig')}`,
      `--authentication-kubeconfig=${file('scheduler.kubeconfig')}`,
      `--authorization-kubeconfig=${file('scheduler.kubeconfig')}`,
      '--bind-address=127.0.0.1',
      `--cert-dir=${join(folder, 'scheduler')}`,
      '--leader-elect=false',
    ],
  });
  const proxy = supervise({
    folder,
    name: 'kube-proxy',
    command: join(node, 'kube-proxy'),
    args: proxyArguments({ file }, firstNode),
  });
  return [controllerManager, scheduler, proxy];
}

/** The arguments of kube-proxy on a node. */
export function proxyArguments({ file }: Pick<Credentials, 'file'>, { name }: BedNode): readonly string[] {
  return [
    `--kubeconfig=${file('proxy.kubeconfig')}`,
    '--proxy-mode=nftables',
    `--hostname-override=${name}`,
    `--cluster-cidr=${addresses.pods}`,
    // The limit of connections belongs to the machine.
    '--conntrack-max-per-core=0',
  ];
}
