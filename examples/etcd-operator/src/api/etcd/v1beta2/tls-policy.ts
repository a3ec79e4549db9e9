import type { ExactlyOneOf, Int32 } from 'opsdk';

/** MemberSecrets name the Secrets that are mounted into the Pods of the members. */
export interface MemberSecrets {
  /**
   * PeerSecret is for the members among themselves: peer.crt, peer.key and peer-ca.crt, or tls.crt, tls.key and ca.crt. The certificate
   * is for clients and servers, and for the names *.NAME.NAMESPACE.svc and *.NAME.NAMESPACE.svc.cluster.local.
   *
   * @minLength 1
   * @maxLength 253
   */
  peerSecret: string;
  /**
   * ServerSecret is for the clients: server.crt, server.key and server-ca.crt, or tls.crt, tls.key and ca.crt. The certificate is for
   * servers and clients (etcd's gateway is a client of etcd), and for the names *.NAME.NAMESPACE.svc and NAME-client.NAMESPACE.svc.
   *
   * @minLength 1
   * @maxLength 253
   */
  serverSecret: string;
}

/** StaticTLS is TLS with Secrets of the user. When their data changes, the members are restarted one at a time. */
export interface StaticTLS {
  member: MemberSecrets;
  /**
   * OperatorSecret is what the operator itself calls the members with: etcd-client.crt, etcd-client.key and etcd-client-ca.crt, or
   * tls.crt, tls.key and ca.crt.
   *
   * @minLength 1
   * @maxLength 253
   */
  operatorSecret: string;
}

/**
 * SelfSignedTLS is TLS with a certificate authority that the operator creates for the cluster, in the Secret NAME-ca-tls. Clients use the
 * Secret NAME-client-tls. The authority is valid for fifty years and is not replaced.
 */
export interface SelfSignedTLS {
  /**
   * ValidityDays is how long certificates of members and clients are valid. They are renewed after two thirds of it, with a restart of the
   * members, one at a time.
   *
   * @minimum 1
   * @maximum 3650
   * @default 365
   */
  validityDays?: Int32;
}

/** TLSPolicy says where the certificates come from. Without it, members and clients speak plain text. */
export type TLSPolicy = ExactlyOneOf<{
  static?: StaticTLS;
  selfSigned?: SelfSignedTLS;
}>;
