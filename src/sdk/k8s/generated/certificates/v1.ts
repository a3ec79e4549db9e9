// Made by scripts/generate-k8s.mjs from the OpenAPI documents of Kubernetes 1.37. Do not edit.
import type { Condition, KubeObject } from '../../../api/meta.ts';
import type { Base64, DateTime, Int32 } from '../../../api/types.ts';
import { externalResource, type Resource } from '../../../api/resource.ts';

/** CertificateSigningRequest objects provide a mechanism to obtain x509 certificates by submitting a certificate signing request, and having it asynchronously approved and issued. */
export interface CertificateSigningRequest extends KubeObject<'certificates.k8s.io/v1', 'CertificateSigningRequest'> {
  /** spec contains the certificate request, and is immutable after creation. */
  spec: CertificateSigningRequestSpec;
  /** status contains information about whether the request is approved or denied, and the certificate issued by the signer, or the failure condition indicating signer failure. */
  status?: CertificateSigningRequestStatus | undefined;
}
export const CertificateSigningRequest: Resource<CertificateSigningRequest> = /* @__PURE__ */ externalResource<CertificateSigningRequest>({ group: 'certificates.k8s.io', version: 'v1', kind: 'CertificateSigningRequest', plural: 'certificatesigningrequests', scope: 'Cluster' });

/** CertificateSigningRequestCondition describes a condition of a CertificateSigningRequest object */
export interface CertificateSigningRequestCondition {
  /** lastTransitionTime is the time the condition last transitioned from one status to another. */
  lastTransitionTime?: DateTime | undefined;
  /** lastUpdateTime is the time of the last update to this condition */
  lastUpdateTime?: DateTime | undefined;
  /** message contains a human readable message with details about the request state */
  message?: string | undefined;
  /** reason indicates a brief reason for the request state */
  reason?: string | undefined;
  /** status of the condition, one of True, False, Unknown. */
  status: string;
  /** type of the condition. */
  type: string;
}

/** CertificateSigningRequestSpec contains the certificate request. */
export interface CertificateSigningRequestSpec {
  /** expirationSeconds is the requested duration of validity of the issued certificate. */
  expirationSeconds?: Int32 | undefined;
  /** extra contains extra attributes of the user that created the CertificateSigningRequest. */
  extra?: Record<string, string[]> | undefined;
  /** groups contains group membership of the user that created the CertificateSigningRequest. */
  groups?: string[] | undefined;
  /** request contains an x509 certificate signing request encoded in a "CERTIFICATE REQUEST" PEM block. */
  request: Base64;
  /** signerName indicates the requested signer, and is a qualified name. */
  signerName: string;
  /** uid contains the uid of the user that created the CertificateSigningRequest. */
  uid?: string | undefined;
  /** usages specifies a set of key usages requested in the issued certificate. */
  usages?: ('any' | 'cert sign' | 'client auth' | 'code signing' | 'content commitment' | 'crl sign' | 'data encipherment' | 'decipher only' | 'digital signature' | 'email protection' | 'encipher only' | 'ipsec end system' | 'ipsec tunnel' | 'ipsec user' | 'key agreement' | 'key encipherment' | 'microsoft sgc' | 'netscape sgc' | 'ocsp signing' | 's/mime' | 'server auth' | 'signing' | 'timestamping')[] | undefined;
  /** username contains the name of the user that created the CertificateSigningRequest. */
  username?: string | undefined;
}

/** CertificateSigningRequestStatus contains conditions used to indicate approved/denied/failed status of the request, and the issued certificate. */
export interface CertificateSigningRequestStatus {
  /** certificate is populated with an issued certificate by the signer after an Approved condition is present. */
  certificate?: Base64 | undefined;
  /** conditions applied to the request. */
  conditions?: CertificateSigningRequestCondition[] | undefined;
}

/** ClusterTrustBundle is a cluster-scoped container for X.509 trust anchors (root certificates). */
export interface ClusterTrustBundle extends KubeObject<'certificates.k8s.io/v1', 'ClusterTrustBundle'> {
  /** spec contains the signer (if any) and trust anchors. */
  spec: ClusterTrustBundleSpec;
}
export const ClusterTrustBundle: Resource<ClusterTrustBundle> = /* @__PURE__ */ externalResource<ClusterTrustBundle>({ group: 'certificates.k8s.io', version: 'v1', kind: 'ClusterTrustBundle', plural: 'clustertrustbundles', scope: 'Cluster' });

/** ClusterTrustBundleSpec contains the signer and trust anchors. */
export interface ClusterTrustBundleSpec {
  /** signerName indicates the associated signer, if any. */
  signerName?: string | undefined;
  /** trustBundle contains the individual X.509 trust anchors for this bundle, as PEM bundle of PEM-wrapped, DER-formatted X.509 certificates. */
  trustBundle: string;
}

/** PodCertificateRequest encodes a pod requesting a certificate from a given signer. */
export interface PodCertificateRequest extends KubeObject<'certificates.k8s.io/v1', 'PodCertificateRequest'> {
  /** spec contains the details about the certificate being requested. */
  spec: PodCertificateRequestSpec;
  /** status contains the issued certificate, and a standard set of conditions. */
  status?: PodCertificateRequestStatus | undefined;
}
export const PodCertificateRequest: Resource<PodCertificateRequest> = /* @__PURE__ */ externalResource<PodCertificateRequest>({ group: 'certificates.k8s.io', version: 'v1', kind: 'PodCertificateRequest', plural: 'podcertificaterequests', scope: 'Namespaced' });

/** PodCertificateRequestSpec describes the certificate request. */
export interface PodCertificateRequestSpec {
  /** maxExpirationSeconds is the maximum lifetime permitted for the certificate. */
  maxExpirationSeconds?: Int32 | undefined;
  /** nodeName is the name of the node the pod is assigned to. */
  nodeName: string;
  /** nodeUID is the UID of the node the pod is assigned to. */
  nodeUID: string;
  /** podName is the name of the pod into which the certificate will be mounted. */
  podName: string;
  /** podUID is the UID of the pod into which the certificate will be mounted. */
  podUID: string;
  /** serviceAccountName is the name of the service account the pod is running as. */
  serviceAccountName: string;
  /** serviceAccountUID is the UID of the service account the pod is running as. */
  serviceAccountUID: string;
  /** signerName indicates the requested signer. */
  signerName: string;
  /** A PKCS#10 certificate signing request (DER-serialized) generated by Kubelet using the subject private key. */
  stubPKCS10Request: Base64;
  /** unverifiedUserAnnotations allow pod authors to pass additional information to the signer implementation. */
  unverifiedUserAnnotations?: Record<string, string> | undefined;
}

/** PodCertificateRequestStatus describes the status of the request, and holds the certificate data if the request is issued. */
export interface PodCertificateRequestStatus {
  /** beginRefreshAt is the time at which the kubelet should begin trying to refresh the certificate. */
  beginRefreshAt?: DateTime | undefined;
  /** certificateChain is populated with an issued certificate by the signer. */
  certificateChain?: string | undefined;
  /** conditions applied to the request. */
  conditions?: Condition[] | undefined;
  /** notAfter is the time at which the certificate expires. */
  notAfter?: DateTime | undefined;
  /** notBefore is the time at which the certificate becomes valid. */
  notBefore?: DateTime | undefined;
}
