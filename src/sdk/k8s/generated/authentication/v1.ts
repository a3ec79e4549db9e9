// Made by scripts/generate-k8s.mjs from the OpenAPI documents of Kubernetes 1.37. Do not edit.
import type { KubeObject } from '../../../api/meta.ts';
import type { DateTime, Int64 } from '../../../api/types.ts';
import { externalResource, type Resource } from '../../../api/resource.ts';

/** BoundObjectReference is a reference to an object that a token is bound to. */
export interface BoundObjectReference {
  /** apiVersion is API version of the referent. */
  apiVersion?: string | undefined;
  /** kind of the referent. */
  kind?: string | undefined;
  /** name of the referent. */
  name?: string | undefined;
  /** uid of the referent. */
  uid?: string | undefined;
}

/** SelfSubjectReview contains the user information that the kube-apiserver has about the user making this request. */
export interface SelfSubjectReview extends KubeObject<'authentication.k8s.io/v1', 'SelfSubjectReview'> {
  /** status is filled in by the server with the user attributes. */
  status?: SelfSubjectReviewStatus | undefined;
}
export const SelfSubjectReview: Resource<SelfSubjectReview> = /* @__PURE__ */ externalResource<SelfSubjectReview>({ group: 'authentication.k8s.io', version: 'v1', kind: 'SelfSubjectReview', plural: 'selfsubjectreviews', scope: 'Cluster' });

/** SelfSubjectReviewStatus is filled by the kube-apiserver and sent back to a user. */
export interface SelfSubjectReviewStatus {
  /** userInfo is a set of attributes belonging to the user making this request. */
  userInfo?: UserInfo | undefined;
}

/** TokenRequest requests a token for a given service account. */
export interface TokenRequest extends KubeObject {
  /** spec holds information about the request being evaluated */
  spec?: TokenRequestSpec | undefined;
  /** status is filled in by the server and indicates whether the token can be authenticated. */
  status?: TokenRequestStatus | undefined;
}

/** TokenRequestSpec contains client provided parameters of a token request. */
export interface TokenRequestSpec {
  /** attestations is a map of well-known keys to string-slice values. */
  attestations?: Record<string, string[]> | undefined;
  /** audiences are the intendend audiences of the token. */
  audiences?: string[] | undefined;
  /** boundObjectRef is a reference to an object that the token will be bound to. */
  boundObjectRef?: BoundObjectReference | undefined;
  /** expirationSeconds is the requested duration of validity of the request. */
  expirationSeconds?: Int64 | undefined;
}

/** TokenRequestStatus is the result of a token request. */
export interface TokenRequestStatus {
  /** expirationTimestamp is the time of expiration of the returned token. */
  expirationTimestamp?: DateTime | undefined;
  /** token is the opaque bearer token. */
  token?: string | undefined;
}

/** TokenReview attempts to authenticate a token to a known user. */
export interface TokenReview extends KubeObject<'authentication.k8s.io/v1', 'TokenReview'> {
  /** spec holds information about the request being evaluated */
  spec: TokenReviewSpec;
  /** status is filled in by the server and indicates whether the request can be authenticated. */
  status?: TokenReviewStatus | undefined;
}
export const TokenReview: Resource<TokenReview> = /* @__PURE__ */ externalResource<TokenReview>({ group: 'authentication.k8s.io', version: 'v1', kind: 'TokenReview', plural: 'tokenreviews', scope: 'Cluster' });

/** TokenReviewSpec is a description of the token authentication request. */
export interface TokenReviewSpec {
  /** audiences is a list of the identifiers that the resource server presented with the token identifies as. */
  audiences?: string[] | undefined;
  /** token is the opaque bearer token. */
  token: string;
}

/** TokenReviewStatus is the result of the token authentication request. */
export interface TokenReviewStatus {
  /** audiences are audience identifiers chosen by the authenticator that are compatible with both the TokenReview and token. */
  audiences?: string[] | undefined;
  /** authenticated indicates that the token was associated with a known user. */
  authenticated?: boolean | undefined;
  /** error indicates that the token couldn't be checked */
  error?: string | undefined;
  /** user is the UserInfo associated with the provided token. */
  user?: UserInfo | undefined;
}

/** UserInfo holds the information about the user needed to implement the user.Info interface. */
export interface UserInfo {
  /** extra is any additional information provided by the authenticator. */
  extra?: Record<string, string[]> | undefined;
  /** groups is the names of groups this user is a part of. */
  groups?: string[] | undefined;
  /** uid is a unique value that identifies this user across time. */
  uid?: string | undefined;
  /** username is the name that uniquely identifies this user among all active users. */
  username?: string | undefined;
}
