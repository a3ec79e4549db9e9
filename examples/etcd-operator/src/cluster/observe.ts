import { hashOf, type ReconcileContext, type Stored } from 'opsdk';
import { PersistentVolumeClaim, Pod, Service } from 'opsdk/k8s/core/v1';
import type { EtcdCluster } from '../api/etcd/v1beta2/etcd-cluster.ts';
import {
  EtcdRefusalError,
  EtcdUnreachableError,
  type Alarm,
  type Endpoint,
  type EtcdApi,
  type Members,
} from '../etcd/etcd-api.ts';
import type { RestoreSource } from '../etcd/restore-source.ts';
import type { ClusterTLS } from '../tls/cluster-tls.ts';
import {
  clientPort,
  clientServiceName,
  hostOf,
  newMemberName,
  peerUrlOf,
  schemeOf,
  selectorOf,
} from './names.ts';
import { isDeleting, type Instance, type Observed, type Recovery } from './observed.ts';
import { formedAnnotation } from './services.ts';

export interface ObserveOptions {
  readonly etcd: EtcdApi;
  /** Returns the host by which members find one whose name is given. */
  readonly addressOf: (host: string) => string | Promise<string>;
  readonly tls: ClusterTLS | undefined;
  readonly restore: RestoreSource | undefined;
  readonly recovery: Recovery;
}

/** State of a cluster, and the way to its members. */
export interface Observation {
  readonly observed: Observed;
  /** Members to be asked, the leader first. */
  readonly members: Members;
  readonly alarms: readonly Alarm[];
}

/** Looks at all that exists of a cluster, and asks each member. */
export async function observe(
  cluster: Stored<EtcdCluster>,
  { client, key, signal, now }: ReconcileContext,
  { etcd, addressOf, tls, restore, recovery }: ObserveOptions,
): Promise<Observation> {
  const { namespace } = key;
  const labelSelector = Object.entries(selectorOf(cluster))
    .map((label) => label.join('='))
    .join();
  const { items: pods } = await client.list(Pod, { namespace, labelSelector });
  const { items: claims } = await client.list(PersistentVolumeClaim, { namespace, labelSelector });
  const service = await client.find(Service, { name: clientServiceName(cluster), namespace });

  const connection = { credentials: tls?.credentials, signal };
  const endpointOf = (pod: Stored<Pod>): Endpoint => ({
    url: `${schemeOf(cluster)}://${bracketed(pod.status?.podIP ?? '')}:${clientPort}`,
    serverName: hostOf(cluster, pod.metadata.name),
  });
  const names = new Set([...pods.map(({ metadata }) => metadata.name), ...claims.map(memberIn)]);
  const instances = await Promise.all(
    [...names].sort().map(async (name): Promise<Instance> => {
      const pod = pods.find(({ metadata }) => metadata.name === name);
      const claim = claims.find((each) => memberIn(each) === name);
      const report =
        pod !== undefined && isRunning(pod) ? await etcd.report(endpointOf(pod), connection) : undefined;
      return { name, pod, claim, report };
    }),
  );

  const newMember = newMemberName(cluster);
  const hosts = new Map<string, string>();
  for (const name of [...names, newMember]) hosts.set(name, await addressOf(hostOf(cluster, name)));

  const members = etcd.members(voterEndpoints(instances, endpointOf), connection);
  const isHealthy = instances.some(({ report }) => report?.isHealthy === true && !report.isLearner);
  const listed = await list(members, isHealthy);
  return {
    observed: {
      cluster,
      now: now(),
      hasFormed:
        (listed.members !== undefined && isHealthy) ||
        (cluster.status?.size ?? 0) > 0 ||
        service?.metadata.annotations?.[formedAnnotation] === 'true',
      instances,
      ...listed,
      restore,
      recovery,
      hash: hashOf([cluster.spec.pod ?? {}, cluster.spec.repository, tls?.hash]),
      newMember,
      urlOf: (member) => peerUrlOf(cluster, hosts.get(member) ?? hostOf(cluster, member)),
    },
    members,
    alarms: isHealthy ? await members.alarms() : [],
  };
}

/** Returns the member that a claim is for. */
function memberIn({ metadata }: Stored<PersistentVolumeClaim>): string {
  return metadata.labels?.['etcd_node'] ?? metadata.name;
}

function isRunning(pod: Stored<Pod>): boolean {
  return !isDeleting(pod) && pod.status?.phase === 'Running' && pod.status.podIP !== undefined;
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** Returns the endpoints of the members that vote, the leader first, then those with a quorum. Learners refuse what others answer. */
function voterEndpoints(
  instances: readonly Instance[],
  endpointOf: (pod: Stored<Pod>) => Endpoint,
): readonly Endpoint[] {
  const rank = ({ report }: Instance): number =>
    report === undefined ? 3 : report.memberID === report.leader ? 0 : report.isHealthy ? 1 : 2;
  return [...instances]
    .sort((a, b) => rank(a) - rank(b))
    .flatMap(({ pod, report }) =>
      pod === undefined || report === undefined || report.isLearner ? [] : [endpointOf(pod)],
    );
}

/** Lists the members, by a quorum if there is one; no members while nobody answers. */
async function list(
  members: Members,
  hasQuorum: boolean,
): Promise<Pick<Observed, 'members' | 'isLocalList'>> {
  try {
    if (hasQuorum) return { members: await members.list() };
  } catch (error) {
    // The quorum may be lost since.
    if (!(error instanceof EtcdRefusalError && error.isTemporary) && !(error instanceof EtcdUnreachableError))
      throw error;
  }
  try {
    return { members: await members.listLocally(), isLocalList: true };
  } catch (error) {
    if (error instanceof EtcdUnreachableError) return {};
    throw error;
  }
}
