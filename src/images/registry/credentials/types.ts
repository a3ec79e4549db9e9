/** Proof of identity for a registry. */
export type Secret =
  | { readonly kind: 'password'; readonly username: string; readonly password: string }
  /** Is exchanged for a token at the token server: OAuth 2's refresh token. */
  | { readonly kind: 'identity-token'; readonly token: string }
  /** Is shown to the registry as it is. */
  | { readonly kind: 'registry-token'; readonly token: string };

/** Secrets that `login` stores: a registry token is issued for one command. */
export type StorableSecret = Exclude<Secret, { readonly kind: 'registry-token' }>;

export interface FoundCredentials {
  readonly secret?: Secret;
  /** Where the secret is from, for people: a file, or a file and a helper. */
  readonly source?: string;
  /** Why a place that names this registry gave nothing; matters only if the registry wants to know who is asking. */
  readonly problems: readonly string[];
}
