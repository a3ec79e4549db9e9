import { hashOf, waitingFor, type ReconcileContext, type Stored } from 'opsdk';
import { Secret } from 'opsdk/k8s/core/v1';
import type { EtcdCluster } from '../api/etcd/v1beta2/etcd-cluster.ts';
import type { MemberTLS } from '../cluster/member-pod.ts';
import type { ClientCredentials } from '../etcd/etcd-api.ts';
import { keysOf, pemsOf } from './secret-files.ts';

/** Certificates of a cluster: those that its members mount, and those that the operator calls them with. */
export interface ClusterTLS {
  readonly members: MemberTLS;
  readonly credentials: ClientCredentials;
  /** Changes when the data that members mount does. */
  readonly hash: string;
}

/** Names of the Secrets of a cluster. */
export interface SecretNames {
  readonly peer: string;
  readonly server: string;
  readonly client: string;
}

/** Returns the Secrets with the certificates of a cluster; undefined if it has no TLS. */
export function secretNamesOf({ spec, metadata }: EtcdCluster): SecretNames | undefined {
  if (spec.TLS === undefined) return undefined;
  const { static: given } = spec.TLS;
  if (given === undefined) {
    const name = metadata.name ?? '';
    return { peer: `${name}-peer-tls`, server: `${name}-server-tls`, client: `${name}-client-tls` };
  }
  return { peer: given.member.peerSecret, server: given.member.serverSecret, client: given.operatorSecret };
}

/**
 * Reads the certificates of a cluster.
 *
 * @returns undefined if the cluster has no TLS
 * @throws waitingFor if a Secret is missing, Error if it lacks a key
 */
export async function clusterTLS(
  cluster: Stored<EtcdCluster>,
  { client, key: { namespace } }: Pick<ReconcileContext, 'client' | 'key'>,
): Promise<ClusterTLS | undefined> {
  const names = secretNamesOf(cluster);
  if (names === undefined) return undefined;
  const read = async (name: string): Promise<Stored<Secret>> => {
    const secret = await client.live.find(Secret, { name, namespace });
    if (secret === undefined) throw waitingFor(Secret, { name, namespace });
    return secret;
  };
  const peer = await read(names.peer);
  const server = await read(names.server);
  const operator = await read(names.client);
  return {
    members: {
      peer: { secretName: names.peer, keys: keysOf(peer, 'peer') },
      server: { secretName: names.server, keys: keysOf(server, 'server') },
    },
    credentials: pemsOf(operator, 'client'),
    hash: hashOf([peer.data, server.data]),
  };
}
